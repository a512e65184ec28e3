import * as Envelope from "../../kernel/Envelope.ts"
import * as Errors from "../keys/Errors.ts"

export const SecretConfigured = Envelope.general(Errors.SecretConfigured, {
  status: 409,
  code: "CONFLICT",
  message: () => "SERVICE_JWT_SECRET sets the secret: change it there and restart, or unset it"
})
