import { marker } from "./signs/Marker.ts"
import { isPlaceholder } from "./signs/Placeholder.ts"
import type { Step } from "./steps/Step.ts"

/** Programs whose `-p`, `-w`, `-a` or `-P` is followed by a password, and not by a port. */
const programs: ReadonlyArray<readonly [command: RegExp, flag: RegExp]> = [
  [
    /\b(?:docker|podman|nerdctl|buildah|skopeo|crane|oras|helm(?:\s{1,4}registry)?|az|oc|cf|heroku|vault|rclone)\b.{0,80}?\blogin\b/,
    /(\s(?:-p|--passwd)(?:\s{1,4}|=))(["']?)([^\s"']{1,400})\2/g
  ],
  [/\bsshpass\b/, /(\s-p\s{0,4})(["']?)([^\s"']{1,400})\2/g],
  [
    /\b(?:mysql|mysqldump|mysqladmin|mysqlimport|mariadb|mariadb-dump|mongo|mongosh|mongodump|mongorestore|sqlcmd|bcp|cqlsh|smbclient|7z|7za|mssql-cli)\b/,
    /(\s-[pP])(["']?)((?!ort\b|rotocol\b)[^\s"'\d=-][^\s"']{3,400}|\d[^\s"']{0,60}[A-Za-z][^\s"']{0,340})\2/g
  ],
  [
    /\b(?:mongo|mongosh|mongodump|mongorestore|sqlcmd|bcp|cqlsh|unzip|zip)\b/,
    /(\s-[pP]\s{1,4})(["']?)([^\s"'-][^\s"']{3,400})\2/g
  ],
  [/\bredis-cli\b/, /(\s(?:-a|--pass)\s{1,4})(["']?)([^\s"']{1,400})\2/g],
  [/\bldap(?:search|modify|add|delete|whoami|passwd)\b/, /(\s-w\s{1,4})(["']?)([^\s"']{1,400})\2/g],
  [
    /\bhtpasswd\b/,
    /(\s-[A-Za-z]{0,8}b[A-Za-z]{0,8}\s{1,4}\S{1,200}\s{1,4}\S{1,200}\s{1,4})(["']?)([^\s"']{1,400})\2/g
  ],
  [
    /\bopenssl\b|\bkeytool\b|\bpass:/,
    /((?:-pass(?:in|out)?\s{1,4}pass:|-(?:store|key)pass\s{1,4}))(["']?)([^\s"']{1,400})\2/g
  ]
]

const anyProgram =
  /docker|podman|nerdctl|buildah|skopeo|crane|oras|helm|\baz\b|\boc\b|\bcf\b|heroku|vault|rclone|sshpass|mysql|mariadb|mongo|sqlcmd|\bbcp\b|cqlsh|smbclient|\b7za?\b|mssql|zip|redis-cli|ldap|htpasswd|openssl|keytool|pass:/

/** Longer lines than this are no commands. */
const longest = 4_096

const redactLine = (line: string): string => {
  if (line.length > longest || !/\s-/.test(line)) return line
  let result = line
  for (const [command, flag] of programs) {
    if (command.test(result))
      result = result.replace(flag, (match, head: string, quote: string, value: string) =>
        isPlaceholder(value) ? match : `${head}${quote}${marker}${quote}`
      )
  }
  return result
}

/** Takes out passwords in the arguments of well-known programs: `docker login -u bob -p …`, `mysql -uroot -p…`. */
export const commands: Step = {
  signs: [" -"],
  redact: (text) => (anyProgram.test(text) ? text.split("\n").map(redactLine).join("\n") : text)
}
