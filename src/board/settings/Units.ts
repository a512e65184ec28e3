export { enforcement } from "./FeatureSettings.ts"
