import type { BuildResponse, QuoteResponse } from '../spec/wire.ts'
import type { KeyRecord, PartnerMetrics } from './records.ts'
import type { BuildRequest, ConfirmRequest, SwapRequest } from './requests.ts'

/** Why a report is not decided yet (§4.3, 202), and when to ask again. */
export interface Pending {
  readonly reason: string
  readonly confirmations: number
  readonly retryAfterS: number
}

export type ConfirmOutcome =
  | { readonly recorded: true; readonly alreadyRecorded: boolean }
  | { readonly pending: Pending }

/** What the routes call. Each throws the errors of errors.ts and nothing else on purpose. */
export interface Domain {
  readonly quoter: { quote(request: SwapRequest, caller: KeyRecord): Promise<QuoteResponse> }
  readonly builder: { build(request: BuildRequest, caller: KeyRecord): Promise<BuildResponse> }
  readonly confirmer: { confirm(request: ConfirmRequest, caller: KeyRecord): Promise<ConfirmOutcome> }
  readonly partners: {
    /** @param authorization the header as it came, if it came. */
    authenticate(authorization: string | undefined): Promise<KeyRecord>
    report(caller: KeyRecord): Promise<PartnerMetrics>
  }
  readonly health: {
    /** @throws {ChainUnavailableError | StoreUnavailableError} what the service cannot do without is not there. */
    check(): Promise<void>
  }
}
