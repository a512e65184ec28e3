import * as Envelope from "../../kernel/Envelope.ts"
import * as Errors from "./Errors.ts"

export const NoAgentChosen = Envelope.general(Errors.NoAgentChosen, {
  status: 409,
  code: "CONFLICT",
  message: () => "No agent is chosen: name one as `agent`, or set the default with PUT /config/default-agent"
})
