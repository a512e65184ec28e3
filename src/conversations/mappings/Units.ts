export {
  enabledOf as enabledMapping,
  find as findMapping,
  insert as addMapping,
  moveCursor,
  ofAdapter as mappingsOf,
  ofChannel as mappingOfChannel,
  remove as forgetMapping,
  update as changeMapping
} from "./MappingRepo.ts"
