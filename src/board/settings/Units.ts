export { admission, autoCommit, enforcement } from "./FeatureSettings.ts"
