import { isAbsolute } from "node:path"

/** The variables that the network and the system need; none that git itself obeys. */
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
 * The environment of every git: no configuration of the system or the user, a home of its own, no prompt, no editor, no
 * protocol but https, ssh and local files. The service is the author of the commits that it makes.
 */
export const gitEnvironment = (
  server: Readonly<Record<string, string | undefined>>,
  home: string
): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(
    inherited.flatMap((name) => (server[name] === undefined ? [] : [[name, server[name]]]))
  ),
  // A relative entry would let files of the repository run as commands.
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
