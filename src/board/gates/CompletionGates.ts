import { Either } from "effect"
import { visibleLength } from "../../kernel/Characters.ts"
import type { Enforcement } from "../settings/Settings.ts"
import { ClosingCommentRequired, ReviewGateFailed } from "../tasks/Errors.ts"
import type { StoredTask } from "../tasks/Task.ts"
import { reviewFields } from "../tasks/TaskParts.ts"

/** What each review score must be. */
export const requiredScore = 10

/** How many characters the longest comment must have. */
export const requiredLength = 20

/** How long a comment is: code points without the white space around it, those alone that a reader can see (Q35). */
export const commentLength = visibleLength

/** The review gate: every score is there and is 10. */
export const reviewGate = (task: StoredTask): Either.Either<void, ReviewGateFailed> =>
  reviewFields.every((field) => task.reviewScores?.[field] === requiredScore)
    ? Either.void
    : Either.left(
        new ReviewGateFailed({
          currentScores: Object.fromEntries(
            reviewFields.map((field) => [field, task.reviewScores?.[field] ?? null])
          ),
          requiredScores: Object.fromEntries(reviewFields.map((field) => [field, requiredScore]))
        })
      )

/** The closing comment: one comment of the task says enough. */
export const closingComment = (task: StoredTask): Either.Either<void, ClosingCommentRequired> => {
  const longestComment = task.comments.reduce((most, { text }) => Math.max(most, commentLength(text)), 0)
  return longestComment >= requiredLength
    ? Either.void
    : Either.left(
        new ClosingCommentRequired({ commentCount: task.comments.length, longestComment, requiredLength })
      )
}

/** The gates of a completion in their order; the first that fails is reported. */
export const completion = (
  gates: Enforcement,
  task: StoredTask
): Either.Either<void, ReviewGateFailed | ClosingCommentRequired> => {
  const review = gates.reviewGate ? reviewGate(task) : Either.void
  if (Either.isLeft(review)) return review
  return gates.closingComments ? closingComment(task) : Either.void
}
