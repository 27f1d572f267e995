/** The transaction of a build, as it was answered. */
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

/** A transaction that a client sent, and the builds that it may be credited to: exactly one of them. */
export interface SwapEntry {
  readonly keyId: string
  readonly txHash: string
  readonly buildIds: readonly string[]
}

export interface ReportEntry {
  readonly keyId: string
  readonly buildId: string
  readonly txHash: string
  /** False: a claim that must be refused, such as the same transaction for another build. */
  readonly genuine: boolean
  /** Null: no whole answer arrived. */
  readonly status: number | null
  /** Of an answer with status 200. */
  readonly alreadyRecorded: boolean | null
}

/** What the clients sent and what they were answered, written by the clients alone. */
export interface Journal {
  readonly builds: BuildEntry[]
  readonly swaps: SwapEntry[]
  readonly reports: ReportEntry[]
  /** Answers that no clause allows, as text. */
  readonly unexpected: string[]
  /** Requests by endpoint and outcome, such as `quote 200` or `build none`. */
  readonly requests: Map<string, number>
  /** How long answered requests took, in milliseconds, by endpoint. */
  readonly durationsMs: Map<string, number[]>
}

export function emptyJournal(): Journal {
  return {
    ...{ builds: [], swaps: [], reports: [], unexpected: [] },
    ...{ requests: new Map(), durationsMs: new Map() },
  }
}

/** The builds that were answered, with the key that requested each. */
export function answeredBuilds({ builds }: Journal) {
  return builds.flatMap(({ build, ...entry }) => (typeof build === 'string' ? [] : [{ ...entry, build }]))
}
