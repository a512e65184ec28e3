export { noteExternal, post, postExternal, postSystem, requireMessage, rootsOf } from "./SquadPost.ts"
