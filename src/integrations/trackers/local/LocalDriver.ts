import { Effect } from "effect"
import { now } from "../../../kernel/Time.ts"
import { Storage, type StorageService } from "../../../storage/Storage.ts"
import type { ExternalItem, TrackerDriver } from "../Driver.ts"
import * as LocalItemRepo from "./LocalItemRepo.ts"
import { sampleOf } from "./LocalSample.ts"

const itemOf = (project: string, number: number): ExternalItem => {
  const repository = project.includes("/") ? project : `local/${project}`
  return {
    id: `${project}:${number}`,
    key: `${project}#${number}`,
    repository,
    number,
    url: `local://${repository}/${number}`
  }
}

/** The driver of the built-in sample tracker. Its items are in a table of the board, so it is always reachable. */
export const localDriver = Effect.map(Storage, (storage) => driverOver(storage))

const driverOver = (storage: StorageService): TrackerDriver => ({
  provider: "local",
  introspect: ({ project }) => Effect.succeed(sampleOf(project)),
  create: ({ project }, { marker, payload }) =>
    storage.write(
      Effect.gen(function* () {
        const number =
          (yield* LocalItemRepo.findByMarker(marker)) ??
          (yield* LocalItemRepo.insert(project, marker, payload, yield* now))
        return itemOf(project, number)
      })
    ),
  find: ({ project }, marker) =>
    Effect.map(storage.read(LocalItemRepo.findByMarker(marker)), (number) =>
      number === undefined ? undefined : itemOf(project, number)
    )
})
