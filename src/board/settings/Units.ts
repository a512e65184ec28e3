export { admission, claimDuration, enforcement } from "./FeatureSettings.ts"
