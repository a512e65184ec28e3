/** True for what can follow `Bearer ` in a header. */
export const isBearerToken = (text: string): boolean => /^[\x21-\x7e]{1,4096}$/.test(text)
