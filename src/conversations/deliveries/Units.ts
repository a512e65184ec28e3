export {
  find as findDelivery,
  findSent,
  insert as recordDelivery,
  lastSuccess,
  newest as newestDeliveries,
  update as changeDelivery
} from "./DeliveryRepo.ts"
export {
  around as threadAround,
  directionsOf,
  insert as tieThread,
  newest as newestThreads,
  ofEvent as threadOfEvent,
  ofEvents as threadsOfEvents,
  ofMessage as threadOfMessage,
  remove as untieThread
} from "./ThreadRepo.ts"
