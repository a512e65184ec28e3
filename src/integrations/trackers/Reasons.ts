const reasons: Readonly<Record<string, string>> = {
  "another-target": "an earlier create went to another address or project and its outcome is not known",
  blocked: "an operator blocks calls to it",
  "circuit-open": "it failed several times and is left alone for now",
  "connection-disabled": "its connection is switched off",
  "connection-missing": "there is no connection to it, PUT /api/integrations/trackers/connection sets one",
  "credential-not-set":
    "SERVICE_SECRETS does not list the variable that credentialRef names, or binds it to another host",
  "credential-refused": "it does not accept the credential",
  interrupted: "the server stopped meanwhile",
  "issues-disabled": "the project takes no items",
  "item-refused":
    "it refuses the item; the profile may name values that it no longer has, so introspect it again",
  "not-settled": "an earlier create may still be under way",
  "permission-refused": "the credential may not do this",
  "project-not-found": "it does not know the project, or the credential may not see it",
  "rate-limited": "it asks to be left alone for a while",
  redirected: "it answers with a redirect, which is not followed: baseUrl must be its final address",
  "response-too-large": "its answer is too large",
  timeout: "there was no answer in time",
  "too-much-to-look-through":
    "it has too many items to look through for the one that may have been made; look for it there, and set it as externalWorkItems of the task",
  "unexpected-answer": "its answer is not one of a tracker of this kind",
  unreachable: "it can't be reached"
}

/**
 * The sentence for a code of why a tracker did not do what it was asked. A code without a sentence is given as it is.
 */
export const reasonOf = (reason: string): string => reasons[reason] ?? reason
