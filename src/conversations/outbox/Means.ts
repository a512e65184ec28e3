import type { SecretsService } from "../../kernel/Secrets.ts"
import type { VaultService } from "../../kernel/Vault.ts"
import type { StorageService } from "../../storage/Storage.ts"
import type { RelayClientService } from "../wire/RelayClient.ts"
import type { VerifierService } from "../wire/Verifier.ts"

/** The services that messages are signed, sent and settled with: taken once, when the layer is made. */
export interface Means {
  readonly storage: StorageService
  readonly client: RelayClientService
  readonly secrets: SecretsService
  readonly vault: VaultService
  readonly verifier: VerifierService
}
