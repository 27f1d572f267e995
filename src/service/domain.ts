import type { BuildResponse, QuoteResponse } from '../spec/wire.ts'
import type { KeyRecord, PartnerMetrics } from './records.ts'
import type { BuildRequest, ConfirmRequest, SwapRequest } from './requests.ts'

/** The reason why a report is not decided yet (§4.3, 202), and when to retry. */
export interface Pending {
  readonly reason: string
  readonly confirmations: number
  readonly retryAfterS: number
}

export type ConfirmOutcome =
  | { readonly recorded: true; readonly alreadyRecorded: boolean }
  | { readonly pending: Pending }

/** The functions the routes call. The only errors they throw deliberately are those of errors.ts. */
export interface Domain {
  readonly quoter: {
    /** @param arrivedAtMs start of the time budget on the monotonic clock; now by default. */
    quote(request: SwapRequest, caller: KeyRecord, arrivedAtMs?: number): Promise<QuoteResponse>
  }
  readonly builder: {
    /** @param arrivedAtMs start of the time budget on the monotonic clock; now by default. */
    build(request: BuildRequest, caller: KeyRecord, arrivedAtMs?: number): Promise<BuildResponse>
  }
  readonly confirmer: { confirm(request: ConfirmRequest, caller: KeyRecord): Promise<ConfirmOutcome> }
  readonly partners: {
    /** @param authorization the header's value, if it was sent. */
    authenticate(authorization: string | undefined): Promise<KeyRecord>
    report(caller: KeyRecord): Promise<PartnerMetrics>
  }
  readonly health: {
    /** @throws {ChainUnavailableError | StoreUnavailableError} the chain or the store is unavailable. */
    check(): Promise<void>
  }
}
