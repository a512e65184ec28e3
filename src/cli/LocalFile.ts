import type { PlatformError } from "@effect/platform/Error"
import { Misused } from "../client/Failure.ts"
import * as FileTrouble from "../kernel/FileTrouble.ts"

const reasons: Readonly<Record<string, string>> = {
  AlreadyExists: "there is such a file already",
  BadResource: "it is a directory",
  NotFound: "there is no such file or directory",
  PermissionDenied: "the system does not permit it"
}

const reasonOf = (error: PlatformError): string =>
  error._tag === "SystemError" ? (reasons[error.reason] ?? FileTrouble.reasonOf(error)) : "it is not a file"

/** The failure to write a file. */
export const unwritable = (file: string, error: PlatformError): Misused =>
  new Misused({
    reason: `Can't write ${file}: ${reasonOf(error)}`,
    remedy: "Name a file in a directory that you can write, on a disk with enough free space"
  })

/** The failure to work with a file. */
export const unusable = (file: string, error: PlatformError): Misused =>
  new Misused({
    reason: `Can't work with ${file}: ${reasonOf(error)}`,
    remedy: "Check its name, who owns it, and that the disk is not full or mounted read-only"
  })
