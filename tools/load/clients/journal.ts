/** The transaction of a build, as returned to the client. */
export interface AnsweredBuild {
  readonly buildId: string
  readonly validUntilMs: number
  readonly to: string
  readonly data: string
  readonly value: string
}

export interface BuildEntry {
  readonly keyId: string
  readonly sender: string
  /** `unanswered`: the connection broke, or 502 or 503; the service may have stored a build. */
  readonly build: AnsweredBuild | 'refused' | 'unanswered'
}

/** A transaction that a client sent, and the builds it may be credited to: exactly one of them. */
export interface SwapEntry {
  readonly keyId: string
  readonly txHash: string
  readonly buildIds: readonly string[]
}

export interface ReportEntry {
  readonly keyId: string
  readonly buildId: string
  readonly txHash: string
  /** False for a claim that must be refused, such as the same transaction for another build. */
  readonly genuine: boolean
  /** Null: no complete response arrived. */
  readonly status: number | null
  /** From a response with status 200. */
  readonly alreadyRecorded: boolean | null
}

export interface ExchangeEntry {
  readonly endpoint: string
  /** The status as text; `none`: no complete response arrived. */
  readonly outcome: string
  readonly tookMs: number
}

/** Everything that the clients sent and received, written by the clients only. */
export interface Journal {
  readonly builds: BuildEntry[]
  readonly swaps: SwapEntry[]
  readonly reports: ReportEntry[]
  /** Responses that no clause allows, as text. */
  readonly unexpected: string[]
  readonly exchanges: ExchangeEntry[]
}

export function emptyJournal(): Journal {
  return { builds: [], swaps: [], reports: [], unexpected: [], exchanges: [] }
}

/** Returns the builds that were returned to clients, with the key that requested each. */
export function answeredBuilds({ builds }: Journal) {
  return builds.flatMap(({ build, ...entry }) => (typeof build === 'string' ? [] : [{ ...entry, build }]))
}
