import { type ConfirmHistory, type ObservedReport, parseValidUntil } from '../../oracles/index.ts'
import type { HttpResponse } from '../../spec/exchange.ts'
import type { RequirementId } from '../../spec/requirements/index.ts'
import { jsonOf } from '../steps/expectations.ts'
import { type ChainFacts, readChainFacts } from '../world/chainFacts.ts'
import type { DrivenChain } from '../world/drivenChain.ts'
import type { ScenarioBuild, ScenarioKey, ScenarioNames, ScenarioTransaction } from './names.ts'
import type { ScenarioReport } from './runLog.ts'

/** A report to send, with its key. */
export interface Reporting {
  readonly key: ScenarioKey
  readonly build: ScenarioBuild
  readonly transaction: ScenarioTransaction
  readonly exercises: readonly RequirementId[]
}

/** The state at the moment of a report, for the judge. */
export interface ReportState {
  readonly facts: ChainFacts
  /** The service's time, which decides when budgets are refilled. */
  readonly nowMs: number
  readonly key: ScenarioKey
}

/** A report whose replies from the node may be repeated later. */
export interface Repeatable {
  readonly moment: ReportState
  /** Hashes of the transactions that the replies were about. */
  readonly txHashes: readonly string[]
}

/** One report with its response. */
interface Made {
  readonly path: string
  /** Position of its request in the run, counted from 0. */
  readonly request: number
  readonly reporting: Reporting
  readonly moments: readonly [ReportState, ...ReportState[]]
  /** Null: the service crashed before it responded. */
  readonly answer: HttpResponse | null
  /** True if a call to chain or store failed during it. */
  readonly unavailable: boolean
  /** True if the service may have recorded it although no response says so. */
  readonly maybeRecorded: boolean
}

/** Collects every report of a scenario, with the facts that the confirm judge needs. */
export class ScenarioReports {
  readonly #driven: DrivenChain
  readonly #names: ScenarioNames
  readonly #reports: ScenarioReport[] = []
  /** The previous reports that read the chain: the node's replies to them may be repeated. */
  repeatable: readonly Repeatable[] = []
  /** The report in progress, and the moments recorded during it so far. */
  #within: { readonly key: string; readonly moments: ReportState[] } | null = null
  /** By partner: the time until which its budget is known to be spent. */
  readonly #spentUntilMs = new Map<string, number>()

  constructor(driven: DrivenChain, names: ScenarioNames) {
    this.#driven = driven
    this.#names = names
  }

  get all(): readonly ScenarioReport[] {
    return this.#reports
  }

  /** The builds that can be reported, by their ids. */
  get builds(): ConfirmHistory['builds'] {
    return new Map(
      this.#names.builds.all().flatMap((build) => {
        const { tx, attribution } = build.response
        if (attribution === null || build.validUntilMs === null) return []
        const facts = {
          keyId: build.key.keyId,
          sender: this.#driven.address(build.account),
          target: tx.to,
          calldata: tx.data,
          valueRaw: BigInt(tx.value),
          createdAtMs: build.createdAtMs,
          validUntilMs: build.validUntilMs,
        }
        return [[attribution.buildId.toLowerCase(), facts] as const]
      }),
    )
  }

  async moment(key: ScenarioKey): Promise<ReportState> {
    const hashes = this.#names.transactions.all().map(({ hash }) => hash)
    const facts = await readChainFacts(this.#driven.sandbox, hashes)
    return { facts, nowMs: this.#driven.serviceClock.nowMs(), key }
  }

  /** Sends a report with the key `key`; `between` are the moments that `lookWithin` recorded meanwhile. */
  async during<Answer>(
    key: string,
    send: () => Promise<Answer>,
  ): Promise<{ readonly answer: Answer; readonly between: ReportState[] }> {
    const outer = this.#within
    const within = { key, moments: [] }
    this.#within = within
    const answer = await send()
    this.#within = outer
    return { answer, between: within.moments }
  }

  /** Records the moment after steps have run during a report in progress, if any. */
  async lookWithin(): Promise<void> {
    if (this.#within === null) return
    const { key, moments } = this.#within
    moments.push(await this.moment(this.#names.keys.get(key)))
  }

  /** Records that a partner's budget is spent until `untilMs` by the service's clock. */
  budgetSpent(key: ScenarioKey, untilMs: number): void {
    this.#spentUntilMs.set(key.partnerId, untilMs)
  }

  /** The service's clock was set: from now on it is unknown whether a spent budget is still spent. */
  clockSet(): void {
    for (const partnerId of this.#spentUntilMs.keys()) this.#spentUntilMs.set(partnerId, 0)
  }

  /** Records one report. */
  add({ path, request, reporting, moments, answer, unavailable, maybeRecorded }: Made): void {
    const observe = (moment: ReportState): ObservedReport => ({
      keyId: reporting.key.keyId,
      key: keyStateOf(moment.key),
      buildId: reporting.build.response.attribution?.buildId ?? '',
      txHash: reporting.transaction.hash,
      malformed: null,
      budget: this.#budgetOf(moment),
      verification: unavailable ? 'unavailable' : 'available',
      headNumber: moment.facts.head.number,
      headTimestampS: BigInt(moment.facts.head.timestampS),
      exercises: reporting.exercises,
      transactions: moment.facts.transactions,
      answer:
        answer === null ? null : { status: answer.status, headers: answer.headers, json: jsonOf(answer) },
    })
    const [first, ...others] = moments
    const heads = moments.map(({ facts }) => facts.head.hash)
    const observed = withMixed([observe(first), ...others.map(observe)])
    if (answer !== null) this.#reports.push({ path, request, moments: observed, heads })
    if (answer !== null && !maybeRecorded) return
    const withoutAnswer = (report: ObservedReport) => ({ ...report, answer: null })
    const [atFirst, ...later] = observed
    const lost = [withoutAnswer(atFirst), ...later.map(withoutAnswer)] as const
    this.#reports.push({ path, request, moments: lost, heads })
  }

  #budgetOf({ key, nowMs }: ReportState): ObservedReport['budget'] {
    const untilMs = this.#spentUntilMs.get(key.partnerId)
    // The size of a budget is not visible. No scenario sends enough reports to exhaust one, except on purpose.
    if (untilMs === undefined) return 'left'
    return nowMs < untilMs ? 'spent' : 'unknown'
  }
}

/** Returns `validUntil` of a build's attribution as epoch milliseconds; null when it is absent or cannot be read. */
export function validUntilMsOf(response: ScenarioBuild['response']): number | null {
  return parseValidUntil(response.attribution?.validUntil)?.epochMs ?? null
}

/**
 * Returns the moments of a report, and the mixed states that a service may have seen if it read key, budget and chain at
 * different moments. Between its old and its new block, the transaction was in no block, and the block changed.
 */
export function withMixed(
  moments: readonly [ObservedReport, ...ObservedReport[]],
): readonly [ObservedReport, ...ObservedReport[]] {
  const [first, ...others] = moments
  const between = new Set(moments.map(blockOf)).size > 1 ? [withoutBlock(first)] : []
  const chains = [...moments, ...between]
  const admissions = new Map(moments.map(({ key, budget }) => [`${key} ${budget}`, { key, budget }]))
  const mixed = [...admissions.values()].flatMap(({ key, budget }) =>
    chains
      .filter((report) => report.key !== key || report.budget !== budget)
      .map((report) => ({ ...report, key, budget })),
  )
  return [first, ...others, ...between, ...mixed]
}

function blockOf({ transactions, txHash }: ObservedReport): string | null {
  const transaction = transactions.get(txHash)
  return transaction?.state === 'mined' ? transaction.blockHash : null
}

function withoutBlock(report: ObservedReport): ObservedReport {
  const transactions = new Map(report.transactions)
  transactions.delete(report.txHash)
  return { ...report, transactions }
}

function keyStateOf({ kind, revoked }: ScenarioKey): ObservedReport['key'] {
  if (revoked) return 'revoked'
  return kind === 'legacy' ? 'legacy' : 'active'
}
