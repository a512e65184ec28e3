/** A field of a line that can be imported, by the names that boards give it, the first one that is there being read. */
export interface ImportField {
  readonly names: ReadonlyArray<string>
  readonly meaning: string
}

/** What is understood of a line, beside the title that it needs. */
export const importFields: ReadonlyArray<ImportField> = [
  { names: ["id"], meaning: "kept where a task can have it" },
  { names: ["sourceId"], meaning: "what makes it the same line in a later import; its id without it" },
  { names: ["description"], meaning: "text" },
  { names: ["status"], meaning: "todo, in_progress, Done, closed ...; case, blanks and dashes do not count" },
  { names: ["priority"], meaning: "a word, or a number from 0, the most urgent, to 4" },
  { names: ["labels", "tags"], meaning: "a list, or a text with commas; both are read" },
  {
    names: ["assignee", "assignees"],
    meaning: "a name, or a list: the first is the assignee, the others are agents"
  },
  { names: ["agents"], meaning: "a list of names" },
  { names: ["dependencies", "dependsOn"], meaning: "ids of the tasks that it waits for; both are read" },
  { names: ["acceptanceCriteria"], meaning: "a list of texts, or of {text, done}" },
  { names: ["createdDate", "createdAt", "created_at"], meaning: "a date and time in ISO 8601" },
  { names: ["type", "issue_type"], meaning: "a word, code without it" },
  { names: ["project"], meaning: "a name" },
  { names: ["externalWorkItems"], meaning: "a list of {provider, repository, number, url?}" },
  { names: ["git"], meaning: "{repo?, branch?, baseBranch?, pr?}" }
]
