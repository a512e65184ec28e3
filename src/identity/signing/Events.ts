import { Event } from "../../storage/events/Event.ts"
import { RotationStatus } from "../keys/Rotation.ts"

export class SecretRotated extends Event("auth.secret.rotated", "auth", {
  graceUntil: RotationStatus.fields.graceUntil
}) {}
