export { admission, enforcement } from "./FeatureSettings.ts"
