import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Effect } from "effect"
import { asActor } from "../../kernel/Actor.ts"
import { withRetryAfter } from "../../kernel/TooManyAttempts.ts"
import { sender, sessionCookie } from "../principals/Credentials.ts"
import { PasswordsApi } from "./Api.ts"
import { sessionSeconds } from "./Password.ts"
import { Passwords } from "./Passwords.ts"

export const PasswordsHttp = HttpApiBuilder.group(
  HttpApi.make("muster").add(PasswordsApi),
  "passwords",
  (handlers) =>
    Effect.map(Passwords, (passwords) =>
      handlers
        .handle("setup", ({ payload }) =>
          withRetryAfter(
            Effect.flatMap(sender, (from) =>
              asActor((by) => Effect.map(passwords.setup(payload, from, by), shown))
            )
          )
        )
        .handle("login", ({ payload }) =>
          withRetryAfter(
            Effect.flatMap(sender, (from) =>
              asActor((by) =>
                Effect.map(passwords.login(payload, from, by), (session) =>
                  HttpServerResponse.unsafeJson(session, cookie(session.token, sessionSeconds))
                )
              )
            )
          )
        )
        .handle("logout", () =>
          asActor((by) => Effect.as(passwords.logout(by), HttpServerResponse.unsafeJson(done, cookie("", 0))))
        )
        .handle("recover", ({ payload }) =>
          withRetryAfter(
            Effect.flatMap(sender, (from) =>
              asActor((by) => Effect.map(passwords.recover(payload, from, by), shown))
            )
          )
        )
        .handle("change", ({ payload }) =>
          withRetryAfter(
            Effect.flatMap(sender, (from) =>
              asActor((by) => Effect.as(passwords.change(payload, from, by), done))
            )
          )
        )
    )
)

const done = { success: true as const }

const shown = (recoveryKey: string) => ({ success: true as const, recoveryKey })

const cookie = (value: string, maxAge: number) => ({
  headers: {
    "set-cookie": `${sessionCookie}=${value}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${maxAge}`
  }
})
