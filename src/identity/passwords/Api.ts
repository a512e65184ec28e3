import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import { created } from "../../kernel/Created.ts"
import { TooManyAttemptsWire } from "../../kernel/TooManyAttempts.ts"
import { NotAMember } from "../members/Wire.ts"
import { Done, LoggedIn, Login, PasswordChange, Recovery, Setup, SetupDone } from "./Password.ts"
import * as Wire from "./Wire.ts"

export const PasswordsApi = HttpApiGroup.make("passwords")
  .add(
    HttpApiEndpoint.post("setup", "/auth/setup")
      .setPayload(Setup)
      .addSuccess(created(SetupDone))
      .addError(Wire.LoopbackOnly)
      .addError(Wire.SetupDoneBefore)
      .addError(Wire.EmailTaken)
      .addError(Wire.SetupUnproven)
      .addError(TooManyAttemptsWire)
      .annotate(Requires, "public")
      .annotate(
        OpenApi.Description,
        "Sets the owner's password, once, from the machine of the board, by its name or address there. Its sender shows that they are the operator: with an admin key of the environment or of the data directory in `X-API-Key`, or with `setupCode`, which the server writes to the file `setup-code` of the data directory at each start without a password and names in its greeting; else it is a 401. The code counts once; five wrong ones a minute, then 429 with `Retry-After`. The answer shows the recovery key, which is shown never again: of both only hashes are stored. API keys work with and without it."
      )
  )
  .add(
    HttpApiEndpoint.post("login", "/auth/login")
      .setPayload(Login)
      .addSuccess(LoggedIn)
      .addError(Wire.LoopbackOnly)
      .addError(Wire.SetupRequired)
      .addError(Wire.PasswordRefused)
      .addError(NotAMember)
      .addError(TooManyAttemptsWire)
      .annotate(Requires, "public")
      .annotate(
        OpenApi.Description,
        "Logs the owner in with the password, from the machine of the board alone; `expiresIn` is in seconds. The token comes as the cookie `service_session` too, and counts only there: with requests of this machine whose Host, Origin and Referer are its own, and a write must bring an Origin or a Referer. Such a session acts with the owner's role, which is admin unless other admins have lowered it, and has the one capability `local-agent:run`. Five attempts a minute, then 429 with `Retry-After`, for the valid credential that comes along or else for the sender's address: with a key or a session of their own the owner gets in while somebody else on the machine guesses. Before the setup it is a 409."
      )
  )
  .add(
    HttpApiEndpoint.post("logout", "/auth/logout")
      .addSuccess(Done)
      .annotate(Requires, "public")
      .annotate(
        OpenApi.Description,
        "Ends the session of this request and takes its cookie back. Without a session it changes nothing."
      )
  )
  .add(
    HttpApiEndpoint.post("recover", "/auth/recover")
      .setPayload(Recovery)
      .addSuccess(SetupDone)
      .addError(Wire.LoopbackOnly)
      .addError(Wire.SetupRequired)
      .addError(Wire.PasswordRefused)
      .addError(TooManyAttemptsWire)
      .annotate(Requires, "public")
      .annotate(
        OpenApi.Description,
        "Sets a new password by the recovery key, from the machine of the board. The key counts once: the answer shows the next one. All sessions end. Five attempts a minute, then 429 with `Retry-After`."
      )
  )
  .add(
    HttpApiEndpoint.post("change", "/auth/change-password")
      .setPayload(PasswordChange)
      .addSuccess(Done)
      .addError(Wire.SetupRequired)
      .addError(Wire.PasswordRefused)
      .addError(TooManyAttemptsWire)
      .annotate(Requires, "admin:manage")
      .annotate(
        OpenApi.Description,
        "Sets a new password by the one before, and ends all sessions but that of this request. Wrong ones count as attempts to log in."
      )
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Passwords")
