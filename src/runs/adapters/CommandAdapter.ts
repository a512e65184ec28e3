import { stat } from "node:fs/promises"
import { Context, Effect, Fiber, Layer, Option, Queue, Stream } from "effect"
import { supervise } from "../../kernel/process/Child.ts"
import { linesOf } from "../../kernel/process/Lines.ts"
import type { ProcessStopped } from "../../kernel/process/Run.ts"
import { attemptMark, Processes } from "../processes/Processes.ts"
import { type Adapter, AgentNotStarted, type Launch } from "./Adapter.ts"
import { agentEnvironment } from "./AgentEnvironment.ts"
import { errorReader, type OutputReader, outputReader } from "./AgentOutput.ts"
import { dialectOf } from "./dialects/Dialects.ts"
import type { Fact } from "./facts/Fact.ts"
import { type ResultClaim, resultClaim } from "./facts/ResultClaim.ts"
import { lineLimit } from "./facts/StructuredLine.ts"

/** How long an agent that is told to stop has to put its house in order. */
const grace = "5 seconds"

/** After how long a line is told that waits for what follows: a secret may go on in the next one. */
const quiet = "1 second"

/** Does something whenever nothing was heard for a while after something was. What it does is not broken off. */
const whenQuiet = (heard: Queue.Dequeue<void>, work: Effect.Effect<void>): Effect.Effect<never> =>
  Queue.take(heard).pipe(
    Effect.zipRight(
      Effect.repeat(Effect.zipRight(Effect.sleep(quiet), Queue.poll(heard)), { until: Option.isNone })
    ),
    Effect.zipRight(Effect.uninterruptible(work)),
    Effect.forever
  )

/** Why a program did not start: what the system says of it, without its words. */
const notStarted = ({ attemptId, workingDirectory }: Launch, { message }: ProcessStopped) =>
  Effect.flatMap(
    Effect.promise(() =>
      stat(workingDirectory).then(
        (found) => found.isDirectory(),
        () => false
      )
    ),
    (hasDirectory) =>
      new AgentNotStarted({
        attemptId,
        reason: !hasDirectory
          ? "no-directory"
          : message.includes("ENOENT")
            ? "not-found"
            : message.includes("EACCES")
              ? "not-executable"
              : "refused"
      })
  )

/**
 * Runs any command-line agent as a child process (rulings 22, 24, 59, 66, 84, 85): the prompt on its standard input, which
 * then ends; one fact for each line that it writes. Programs that people know are read in their own dialects.
 */
export class CommandAdapter extends Context.Tag("muster/CommandAdapter")<CommandAdapter, Adapter>() {
  static readonly layer = Layer.effect(
    CommandAdapter,
    Effect.gen(function* () {
      const processes = yield* Processes

      const begin: Adapter["begin"] = Effect.fn("CommandAdapter.begin")(function* (launch, sink) {
        const { args, attemptId, command, model, prompt, workingDirectory } = launch
        const dialect = dialectOf(command)
        yield* processes.expect(attemptId, workingDirectory)
        const child = yield* supervise({
          file: command,
          args: dialect === undefined ? (args ?? []) : dialect.args(args, model),
          cwd: workingDirectory,
          env: agentEnvironment(process.env, launch),
          mark: attemptMark,
          grace
        }).pipe(
          Effect.catchAll((stopped) =>
            Effect.zipRight(processes.forget(attemptId), notStarted(launch, stopped))
          )
        )
        yield* processes.record(attemptId, workingDirectory, child.identity)

        let result: ResultClaim | undefined
        let wasStopped = false
        const oneAtATime = yield* Effect.makeSemaphore(1)
        const tell = (facts: ReadonlyArray<Fact>) =>
          Effect.suspend(() => {
            for (const { kind, payload } of facts)
              if (kind === "result") result = resultClaim(payload) ?? result
            return facts.length === 0 ? Effect.void : oneAtATime.withPermits(1)(sink(facts))
          })
        const follow = (bytes: Stream.Stream<Uint8Array>, { end, pause, read }: OutputReader) =>
          Effect.gen(function* () {
            const heard = yield* Queue.sliding<void>(1)
            const reading = bytes.pipe(
              linesOf(lineLimit),
              Stream.runForEach((lines) => Effect.zipLeft(tell(read(lines)), Queue.offer(heard, undefined)))
            )
            yield* Effect.raceFirst(
              reading,
              whenQuiet(
                heard,
                Effect.suspend(() => tell(pause()))
              )
            )
            yield* tell(end())
          })

        // A program may take its time to read, or never do it; its end closes the pipe.
        yield* Effect.forkScoped(Effect.zipRight(child.write(prompt), child.endInput))
        const work = yield* Effect.all(
          [follow(child.stdout, outputReader(dialect?.reader())), follow(child.stderr, errorReader())],
          { concurrency: 2, discard: true }
        ).pipe(
          // Who can't be listened to must not work on.
          Effect.tapErrorCause(() => child.stop),
          Effect.zipRight(child.ended),
          Effect.forkScoped
        )
        return {
          identity: child.identity,
          ended: Effect.map(Fiber.join(work), (ending) => ({
            ending,
            ...(result === undefined ? {} : { result }),
            wasStopped
          })),
          stop: Effect.flatMap(Fiber.poll(work), (over) => {
            if (Option.isNone(over)) wasStopped = true
            return child.stop
          })
        }
      })

      return CommandAdapter.of({ provider: "command", begin })
    })
  )
}
