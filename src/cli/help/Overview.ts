import { hanging, section, terms } from "./Layout.ts"

/** A command in the overview. */
export interface Listed {
  readonly name: string
  readonly section: string
  readonly says: string
}

const environment = terms([
  {
    label: "SERVICE_API_URL",
    says: "Base address of the server; default http://localhost:3001, or the port of SERVICE_PORT or PORT"
  },
  {
    label: "SERVICE_API_KEY",
    says: "Key for the server; without it, and for a server on this machine, SERVICE_ADMIN_KEY, else the admin-key file in SERVICE_DATA_DIR (default ./data), else in data beside the installed package"
  },
  { label: "NO_COLOR", says: "No colours when set" }
])

const exitCodes = [
  "it is done, also when there was nothing to do",
  "something unexpected; a check of the doctor, a line of an import, the audit, a relay or a run failed",
  "usage: the command, the environment, a file or a value is wrong",
  "authentication or permission",
  "not found",
  "conflict, or a gate said no",
  "the server is unavailable"
]

/** The help of the program: its commands, the variables that it reads, and its exit codes. */
export const overview = (commands: ReadonlyArray<Listed>): string => {
  const sections = [...new Set(commands.map(({ section }) => section))]
  return [
    "Work with the tasks of a Muster board.",
    section("USAGE", "  muster COMMAND [OPTIONS] [ARGUMENTS]\n  muster COMMAND --help"),
    ...sections.map((name) =>
      section(
        name.toUpperCase(),
        terms(
          commands
            .filter(({ section }) => section === name)
            .map(({ name: label, says }) => ({ label: label.padEnd(11), says }))
        )
      )
    ),
    section(
      "OPTIONS",
      terms([
        { label: "--json", says: "For nearly every command: JSON on stdout and nothing else" },
        { label: "--help", says: "What a command does, its options and examples" },
        { label: "--version", says: "The version of the program" }
      ])
    ),
    section(
      "EXAMPLES",
      ["list", "begin task_5d8v0kq2m1x7c9zr", "doctor"].map((example) => `  $ muster ${example}`).join("\n")
    ),
    section(
      "ENVIRONMENT",
      `${environment}\n  A .env file in the working directory fills in what the environment lacks.`
    ),
    section("EXIT CODES", exitCodes.map((says, code) => hanging(`  ${code}  `, says)).join("\n"))
  ].join("\n\n")
}
