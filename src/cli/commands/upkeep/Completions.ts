import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import { Effect } from "effect"
import { Shell, script } from "../../help/Completions.ts"
import { AllCommands } from "../../LoadedCommand.ts"
import { Output } from "../../Output.ts"
import { argumentOf } from "../../Parts.ts"

const shell = Args.text({ name: "SHELL" }).pipe(
  argumentOf("SHELL", Shell),
  Args.withDescription(`The shell: ${Shell.literals.join(", ")}`)
)

export const completions = Command.make("completions", { shell }, (given) =>
  Effect.gen(function* () {
    const { say } = yield* Output
    yield* say(script(given.shell, yield* yield* AllCommands))
  })
)
