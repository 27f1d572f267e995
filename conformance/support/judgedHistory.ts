import type { Hex } from 'viem'
import {
  judgeConfirm,
  type ObservedReport,
  type ReportHistory,
  type Verdict,
} from '../../src/oracles/index.ts'
import { assertVerdicts } from '../../src/runner/cases/assertVerdicts.ts'
import { isJudged, type RequirementId, requirement } from '../../src/spec/requirements/index.ts'
import { recordServed } from '../../src/targets/evidence/evidence.ts'
import { assume, assumeServed } from './expect.ts'

/** A build, and the key that made it. */
type ReportedBuild = ReportHistory['builds'] extends ReadonlyMap<string, infer Build> ? Build : never

/** A report at each moment that its answer may be of. */
export type Moments = ReportHistory['reports'][number]['moments']

/** The case carries a build out as it is: a minimum above what the pool delivers, for one, is the doing of the service. */
export const REVERTS = 'the swap of its build reverts'
/** The twin of a refused report that belongs to no build. */
const ANY_REPORT = 'confirm'

/** Builds and their reports, of which the newest is judged by all that is known before it. */
export class JudgedHistory {
  readonly #builds = new Map<string, ReportedBuild>()
  readonly #reports: ReportHistory['reports'][number][] = []
  /** The verdicts that the newest report adds; null: they were not asked for. */
  #newest: readonly Verdict[] | null = null

  /** The number of reports. */
  get count(): number {
    return this.#reports.length
  }

  addBuild(build: ReportedBuild & { readonly buildId: string }): void {
    this.#builds.set(build.buildId.toLowerCase(), build)
  }

  /** Returns the build of an id in any letter case. */
  build(buildId: string): ReportedBuild | undefined {
    return this.#builds.get(buildId.toLowerCase())
  }

  /** @param moments what the chain said when the report was sent, and what it said later, where it changed meanwhile. */
  addReport(moments: Moments): void {
    this.#reports.push({ moments })
    this.#newest = null
  }

  /** Returns the verdicts that the newest report adds to those before it about its build or its transaction: no other decides it. */
  newest(): readonly Verdict[] {
    this.#newest ??= this.#judgeNewest()
    return this.#newest
  }

  /**
   * Records the verdicts that the newest report adds; those of a refusal count once its twin was served.
   *
   * @param clauses each of them must be judged.
   * @param twin the id of the build whose report is the twin, or an id of none.
   * @throws {PromiseBrokenError}
   * @throws {BlamedError} a clause was not judged.
   */
  assertNewest(clauses: readonly RequirementId[], twin: string): void {
    const [newest] = this.#reports.at(-1)?.moments ?? []
    const status = newest?.answer?.status ?? 0
    const added = this.newest()
    const served = this.build(twin) === undefined ? ANY_REPORT : `confirm ${twin.toLowerCase()}`
    assertVerdicts(added, undefined, status >= 400 ? served : undefined)
    if (status < 400) for (const each of [served, ANY_REPORT]) recordServed(each)
    const judged = new Set(
      added.filter(({ outcome }) => outcome !== 'observed').map((one) => one.requirement),
    )
    const unjudged = clauses.filter((clause) => isJudged(requirement(clause).level) && !judged.has(clause))
    assumeServed(unjudged.length === 0 || !isReverted(newest), REVERTS)
    assume(unjudged.length === 0, `nothing was judged of ${unjudged.join(', ')}`)
  }

  #judgeNewest(): readonly Verdict[] {
    const newest = this.#reports.at(-1)?.moments[0]
    const related = this.#reports.filter(({ moments: [report] }) => isAbout(report, newest))
    const judgedBefore = related.length - 1
    const judged = (reports: ReportHistory['reports']) =>
      judgeConfirm({ builds: this.#builds, reports, judgedBefore })
    // Of those before it, what holds for the history as a whole.
    const before = new Set(judged(related.slice(0, -1)).map((verdict) => JSON.stringify(verdict)))
    return judged(related).filter((verdict) => !before.has(JSON.stringify(verdict)))
  }
}

/** Returns whether the transaction of a report was mined and reverted, as it was known then. */
function isReverted(report: ObservedReport | undefined): boolean {
  const transaction = report?.transactions.get(report.txHash.toLowerCase() as Hex)
  return transaction?.state === 'mined' && !transaction.succeeded
}

/** Returns whether two reports are of one build or of one transaction, whatever the case of their letters. */
function isAbout(report: ObservedReport | undefined, other: ObservedReport | undefined): boolean {
  const isSame = (name: 'buildId' | 'txHash') => report?.[name].toLowerCase() === other?.[name].toLowerCase()
  return isSame('buildId') || isSame('txHash')
}
