import { Event } from "../../storage/Event.ts"
import { RotationStatus } from "./Rotation.ts"

export class SecretRotated extends Event("auth.secret.rotated", "auth", {
  graceUntil: RotationStatus.fields.graceUntil
}) {}
