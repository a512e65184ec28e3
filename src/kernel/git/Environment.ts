import { isAbsolute } from "node:path"

/** What the network and the system need, and nothing that git would obey. */
const inherited = [
  "ALL_PROXY",
  "HTTPS_PROXY",
  "HTTP_PROXY",
  "NO_PROXY",
  "all_proxy",
  "http_proxy",
  "https_proxy",
  "no_proxy",
  "LOGNAME",
  "SSH_AUTH_SOCK",
  "SSL_CERT_DIR",
  "SSL_CERT_FILE",
  "TMPDIR",
  "USER"
]

/**
 * The environment of every git: no configuration but the repository's, a home of its own, no prompt, no editor, no
 * protocol but https, ssh and local files. Commits that the service makes are the service's.
 */
export const gitEnvironment = (
  server: Readonly<Record<string, string | undefined>>,
  home: string
): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(
    inherited.flatMap((name) => (server[name] === undefined ? [] : [[name, server[name]]]))
  ),
  // A relative entry would let the repository's own files be commands.
  PATH: (server["PATH"] ?? "/usr/bin:/bin").split(":").filter(isAbsolute).join(":"),
  HOME: home,
  XDG_CONFIG_HOME: home,
  LC_ALL: "C",
  GIT_ALLOW_PROTOCOL: "file:https:ssh",
  GIT_ASKPASS: "",
  GIT_ATTR_NOSYSTEM: "1",
  GIT_AUTHOR_EMAIL: "muster@localhost",
  GIT_AUTHOR_NAME: "Muster",
  GIT_COMMITTER_EMAIL: "muster@localhost",
  GIT_COMMITTER_NAME: "Muster",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_SYSTEM: "/dev/null",
  GIT_EDITOR: ":",
  GIT_GRAFT_FILE: "/dev/null",
  GIT_LITERAL_PATHSPECS: "1",
  GIT_MERGE_AUTOEDIT: "no",
  GIT_NO_LAZY_FETCH: "1",
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_PAGER: "cat",
  GIT_SEQUENCE_EDITOR: ":",
  GIT_SSH_COMMAND: "ssh -oBatchMode=yes -oConnectTimeout=15",
  GIT_SSH_VARIANT: "ssh",
  GIT_TERMINAL_PROMPT: "0"
})
