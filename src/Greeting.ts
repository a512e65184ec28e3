import { Console, Effect } from "effect"
import { ServerAddress } from "./http/Server.ts"
import { Auth } from "./identity/auth/Auth.ts"
import { SetupCode } from "./identity/passwords/SetupCode.ts"

/** Where the admin key of the environment stands, if there is one. */
export type AdminKeyFrom = "environment" | "file" | undefined

/** A first request that works as it is printed, in a shell with the same variables and in the same directory. */
const attempt = (
  url: string,
  auth: Pick<typeof Auth.Service, "adminKeyFile" | "enabled">,
  adminKeyFrom: AdminKeyFrom
): string => {
  if (auth.adminKeyFile !== undefined) return `curl -H "X-API-Key: $(cat ${auth.adminKeyFile})" ${url}`
  if (!auth.enabled) return `curl ${url}`
  if (adminKeyFrom === "environment") return `curl -H "X-API-Key: $SERVICE_ADMIN_KEY" ${url}`
  return adminKeyFrom === "file"
    ? "npx muster list (it reads .env too)"
    : `curl -H "X-API-Key: <a key of SERVICE_API_KEYS>" ${url}`
}

/** What a newcomer needs to know once the board is up. */
export const greeting = (adminKeyFrom: AdminKeyFrom) =>
  Effect.gen(function* () {
    const { baseUrl } = yield* ServerAddress
    const auth = yield* Auth
    const key =
      auth.adminKeyFile === undefined
        ? auth.enabled
          ? "Keys: those of SERVICE_ADMIN_KEY and SERVICE_API_KEYS"
          : "Authentication is off: everybody on this machine is admin"
        : `Admin key: ${auth.adminKeyFile} (the muster command finds it by itself)`
    const codeFile = yield* (yield* SetupCode).file
    const url = `${baseUrl}/api/v1/tasks/counts`
    yield* Console.log(
      [
        "",
        `Muster is up at ${baseUrl}`,
        `  ${key}`,
        ...(codeFile === undefined
          ? []
          : [
              `  Setup: the owner has no password; the code that POST /api/auth/setup takes is in ${codeFile}`
            ]),
        `  Docs: ${baseUrl}/docs   Stream: ${baseUrl.replace("http", "ws")}/ws   Health: ${baseUrl}/health/ready`,
        `  Try: ${attempt(url, auth, adminKeyFrom)}`,
        "  Stop: Ctrl+C",
        ""
      ].join("\n")
    )
  })
