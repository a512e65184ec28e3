/** Replaces a secret wherever it would have been stored, streamed or logged. */
export const marker = "[REDACTED]"
