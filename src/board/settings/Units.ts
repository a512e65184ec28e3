export { admission, autoCommit, claimDuration, enforcement } from "./FeatureSettings.ts"
