import { FastCheck as fc } from "effect"
import { TaskStatus } from "../../../src/board/tasks/Task.ts"

/** Any status, and two of them more often, so that their columns fill. */
const anyStatus = fc.oneof(
  fc.constantFrom(...TaskStatus.literals),
  fc.constantFrom<TaskStatus>("todo", "done")
)
const anyTask = fc.nat(99)

const step = <Name extends string, Fields>(
  weight: number,
  name: Name,
  fields: { [K in keyof Fields]: fc.Arbitrary<Fields[K]> }
) => ({
  weight,
  arbitrary: fc.record({ do: fc.constant(name), ...fields })
})

/** What somebody does to the board. A number picks one of the tasks that there are, modulo how many. */
export const Step = fc.oneof(
  step(5, "create", { status: anyStatus }),
  step(6, "move", { task: anyTask, status: anyStatus, index: fc.nat(8) }),
  step(4, "patch", { task: anyTask, status: anyStatus }),
  step(3, "reorder", { tasks: fc.array(anyTask, { minLength: 1, maxLength: 4 }) }),
  step(4, "archive", { task: anyTask }),
  step(2, "restore", { task: anyTask }),
  step(3, "delete", { task: anyTask }),
  step(1, "demote", { task: anyTask }),
  step(1, "promote", { task: anyTask })
)
export type Step = typeof Step extends fc.Arbitrary<infer A> ? A : never

/** The tasks that a step is about: what concerns the archive takes its tasks from there first. */
export const idsOf = (step: Step, model: BoardModel): ReadonlyArray<string> => {
  if (step.do === "create") return []
  const { archived, onBoard } = model
  const archiveFirst = step.do === "restore" || step.do === "delete"
  const all = archiveFirst ? [...archived, ...onBoard] : [...onBoard, ...archived]
  const numbers = step.do === "reorder" ? step.tasks : [step.task]
  return numbers.map((number) => all[number % all.length] ?? "nobody")
}

/** The board as lists of ids: this is the whole rule of where a card is. */
export class BoardModel {
  readonly columns = new Map<TaskStatus, ReadonlyArray<string>>(
    TaskStatus.literals.map((status) => [status, []])
  )
  archive: ReadonlyArray<{ readonly id: string; readonly status: TaskStatus }> = []

  get onBoard(): ReadonlyArray<string> {
    return [...this.columns.values()].flat()
  }

  get archived(): ReadonlyArray<string> {
    return this.archive.map(({ id }) => id)
  }

  column(status: TaskStatus): ReadonlyArray<string> {
    return this.columns.get(status) ?? []
  }

  archivedFrom(status: TaskStatus): ReadonlyArray<string> {
    return this.archive.flatMap((task) => (task.status === status ? [task.id] : []))
  }

  statusOf(id: string): TaskStatus | undefined {
    return TaskStatus.literals.find((status) => this.column(status).includes(id))
  }

  /** Puts a card at a place of a column, by default at its end, wherever it was before. */
  put(id: string, status: TaskStatus, index = Number.POSITIVE_INFINITY): void {
    this.remove(id)
    this.columns.set(status, this.column(status).toSpliced(index, 0, id))
  }

  remove(id: string): void {
    for (const [status, ids] of this.columns)
      this.columns.set(
        status,
        ids.filter((other) => other !== id)
      )
    this.archive = this.archive.filter((task) => task.id !== id)
  }

  /** Does a step to tasks that are there already; false when it must be refused, and then nothing changes. */
  perform(step: Exclude<Step, { do: "create" }>, ids: ReadonlyArray<string>): boolean {
    const [id = ""] = ids
    const status = this.statusOf(id)
    const archived = this.archive.find((task) => task.id === id)
    switch (step.do) {
      case "reorder":
        if (ids.some((named) => this.statusOf(named) === undefined)) return false
        for (const [status, column] of this.columns) {
          this.columns.set(status, [
            ...new Set([...ids.filter((named) => column.includes(named)), ...column])
          ])
        }
        return true
      case "delete":
        this.remove(id)
        return status !== undefined || archived !== undefined
      case "restore":
        if (archived !== undefined) this.put(id, archived.status)
        return archived !== undefined
      case "archive":
        if (status === undefined || status === "in-progress") return false
        this.remove(id)
        this.archive = [...this.archive, { id, status }]
        return true
      case "demote":
        if (status === undefined || status === "backlog") return false
        this.put(id, "backlog")
        return true
      case "promote":
        if (status === "backlog") this.put(id, "todo")
        return status === "backlog"
      case "patch":
        if (status !== undefined && status !== step.status) this.put(id, step.status)
        return status !== undefined
      case "move":
        if (status !== undefined) this.put(id, step.status, step.index)
        return status !== undefined
    }
  }
}
