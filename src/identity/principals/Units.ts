/** Everybody who can come in now, as they lie in storage: for whoever asks within a unit. */
export { all as allPrincipals } from "./PrincipalRepo.ts"
