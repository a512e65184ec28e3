import { Context, Effect, Layer } from "effect"
import { type ActorContext, identityOf, keyIdentity } from "../../kernel/Actor.ts"
import { newId } from "../../kernel/Ids.ts"
import { conflict, type Precondition, type Revised, type RevisionConflict } from "../../kernel/Revision.ts"
import { iso } from "../../kernel/Time.ts"
import type { Sql } from "../../storage/Sql.ts"
import { Storage } from "../../storage/Storage.ts"
import { TaskFull } from "../tasks/Errors.ts"
import type { StoredTask } from "../tasks/Task.ts"
import type { Comment } from "../tasks/TaskParts.ts"
import { edit, type WriteRefused } from "../tasks/Units.ts"
import type { CommentDraft, CommentEdit } from "./Comment.ts"
import * as CommentAuthorRepo from "./CommentAuthorRepo.ts"
import { CommentNotFound, NotTheAuthor } from "./Errors.ts"
import { CommentEdited, CommentRemoved, TaskCommented } from "./Events.ts"

/** The most comments that a task holds. */
const commentLimit = 1_000

/** The comments of a task. They are part of it: every change raises the task's revision. */
export interface CommentsService {
  readonly add: (
    id: string,
    draft: typeof CommentDraft.Type,
    precondition: Precondition,
    by: ActorContext
  ) => Effect.Effect<Revised, WriteRefused | TaskFull>
  readonly change: (
    id: string,
    commentId: string,
    change: typeof CommentEdit.Type,
    precondition: Precondition,
    by: ActorContext
  ) => Effect.Effect<Revised, WriteRefused | TaskFull | CommentNotFound | NotTheAuthor | RevisionConflict>
  readonly remove: (
    id: string,
    commentId: string,
    precondition: Precondition,
    by: ActorContext
  ) => Effect.Effect<void, WriteRefused | TaskFull | CommentNotFound | NotTheAuthor>
}

export class Comments extends Context.Tag("muster/Comments")<Comments, CommentsService>() {
  static readonly layer = Layer.effect(
    Comments,
    Effect.map(Storage, (storage) =>
      Comments.of({
        add: Effect.fn("Comments.add")((id, draft, precondition, by) =>
          storage.write(
            edit(
              id,
              { operation: "comment", by, precondition },
              (changed) => new TaskCommented(changed),
              (task, at) =>
                Effect.gen(function* () {
                  if (task.comments.length >= commentLimit) {
                    return yield* new TaskFull({ taskId: id, field: "comments", limit: commentLimit })
                  }
                  const comment = commentOf(yield* newId("comment"), draft.text, by, iso(at))
                  yield* CommentAuthorRepo.insert(id, comment.id, identityOf(by))
                  return { ...task, comments: [...task.comments, comment] }
                })
            )
          )
        ),
        change: Effect.fn("Comments.change")((id, commentId, change, precondition, by) =>
          storage.write(
            edit(
              id,
              { operation: "comment", by, precondition },
              (changed) => new CommentEdited(changed),
              (task, at) =>
                Effect.gen(function* () {
                  const comment = yield* findOwn(task, commentId, by)
                  if (change.revision !== undefined && change.revision !== comment.revision) {
                    return yield* conflict("comment", comment, change.revision, comment)
                  }
                  const edited = {
                    ...comment,
                    text: change.text,
                    updatedAt: iso(at),
                    updatedBy: by.name,
                    revision: comment.revision + 1
                  }
                  return {
                    ...task,
                    comments: task.comments.map((other) => (other.id === commentId ? edited : other))
                  }
                })
            )
          )
        ),
        remove: Effect.fn("Comments.remove")((id, commentId, precondition, by) =>
          Effect.asVoid(
            storage.write(
              edit(
                id,
                { operation: "comment", by, precondition },
                (changed) => new CommentRemoved(changed),
                (task) =>
                  Effect.gen(function* () {
                    yield* findOwn(task, commentId, by)
                    yield* CommentAuthorRepo.remove(commentId)
                    return { ...task, comments: task.comments.filter((comment) => comment.id !== commentId) }
                  })
              )
            )
          )
        )
      })
    )
  )
}

const commentOf = (id: string, content: string, by: ActorContext, at: string): Comment => ({
  id,
  text: content,
  author: by.name,
  createdAt: at,
  updatedAt: at,
  revision: 1,
  createdBy: by.name,
  updatedBy: by.name
})

const findComment = (task: StoredTask, commentId: string): Effect.Effect<Comment, CommentNotFound> => {
  const found = task.comments.find((comment) => comment.id === commentId)
  return found === undefined
    ? Effect.fail(new CommentNotFound({ taskId: task.id, commentId }))
    : Effect.succeed(found)
}

/**
 * A comment that the caller may change: their own one, or any for an administrator (ruling 110). One from before authors
 * were kept counts as that of the key of its name: those names the operator chose, and nobody else can take.
 */
const findOwn = (
  task: StoredTask,
  commentId: string,
  by: ActorContext
): Effect.Effect<Comment, CommentNotFound | NotTheAuthor, Sql> =>
  Effect.gen(function* () {
    const comment = yield* findComment(task, commentId)
    if (by.permissions.has("admin:manage")) return comment
    const author = (yield* CommentAuthorRepo.find(commentId)) ?? keyIdentity(comment.createdBy)
    if (author !== identityOf(by)) return yield* new NotTheAuthor({ taskId: task.id, commentId })
    return comment
  })
