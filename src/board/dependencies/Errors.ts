import { Schema } from "effect"

/** A task can't depend on itself. */
export class SelfDependency extends Schema.TaggedError<SelfDependency>()("SelfDependency", {
  issues: Schema.Array(Schema.Struct({ path: Schema.String, message: Schema.String }))
}) {}

/** The edge would close a cycle: then none of its tasks could ever be ready. */
export class DependencyCycle extends Schema.TaggedError<DependencyCycle>()("DependencyCycle", {
  taskId: Schema.String,
  dependsOn: Schema.String
}) {}

/** The edge is there already. */
export class DependencyExists extends Schema.TaggedError<DependencyExists>()("DependencyExists", {
  taskId: Schema.String,
  dependsOn: Schema.String
}) {}

/** There is no such edge. */
export class DependencyNotFound extends Schema.TaggedError<DependencyNotFound>()("DependencyNotFound", {
  taskId: Schema.String,
  dependsOn: Schema.String
}) {}
