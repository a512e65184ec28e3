export { removeMapping } from "./RemoveMapping.ts"
