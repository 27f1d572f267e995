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

/** A report, with the facts at each moment that its response may reflect. */
export type Moments = ReportHistory['reports'][number]['moments']

/** The case executes a build unchanged, so a revert is the service's fault, for example a minimum above what the pool delivers. */
export const REVERTS = 'the swap of its build reverts'
/** The twin of a refused report that belongs to no build. */
const ANY_REPORT = 'confirm'

/** Builds and their reports. The newest report is judged by everything known before it. */
export class JudgedHistory {
  readonly #builds = new Map<string, ReportedBuild>()
  readonly #reports: ReportHistory['reports'][number][] = []
  /** The verdicts that the newest report adds; null: not judged yet. */
  #newest: readonly Verdict[] | null = null

  /** Number of reports. */
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

  /** @param moments the chain when the report was sent and, if it changed meanwhile, the chain afterwards. */
  addReport(moments: Moments): void {
    this.#reports.push({ moments })
    this.#newest = null
  }

  /** Returns the verdicts that the newest report adds to those of earlier reports of its build or transaction. */
  newest(): readonly Verdict[] {
    this.#newest ??= this.#judgeNewest()
    return this.#newest
  }

  /**
   * Records the verdicts that the newest report adds; those of a refusal count once its twin was served.
   *
   * @param clauses requirements that must each be judged.
   * @param twin the id of the build whose report is the twin, or an unknown id.
   * @throws {PromiseBrokenError}
   * @throws {BlamedError} if a clause was not judged.
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
    // Verdicts of the earlier history that still hold for the whole.
    const before = new Set(judged(related.slice(0, -1)).map((verdict) => JSON.stringify(verdict)))
    return judged(related).filter((verdict) => !before.has(JSON.stringify(verdict)))
  }
}

/** Returns true if the transaction of a report was mined and reverted at the time. */
function isReverted(report: ObservedReport | undefined): boolean {
  const transaction = report?.transactions.get(report.txHash.toLowerCase() as Hex)
  return transaction?.state === 'mined' && !transaction.succeeded
}

/** Returns true if two reports share a build or a transaction, regardless of letter case. */
function isAbout(report: ObservedReport | undefined, other: ObservedReport | undefined): boolean {
  const isSame = (name: 'buildId' | 'txHash') => report?.[name].toLowerCase() === other?.[name].toLowerCase()
  return isSame('buildId') || isSame('txHash')
}
