import { FEEDS, REGISTRY } from '../../src/fixtures/tokens.ts'
import { type ConfirmHistory, type ObservedReport, whyNotConfirmable } from '../../src/oracles/index.ts'
import type { Run, StepLog } from '../../src/simulation/runLog.ts'
import type { StepInput } from '../../src/simulation/steps.ts'

/** One build of a history, as the one who asked for it knows it. */
export interface LedgerBuild {
  readonly buildId: string
  readonly keyId: string
  /** USD worth of the input in millionths, rounded down, at the price feeds; null: no feed. */
  readonly usdMicros: bigint | null
}

/** One answer to a report. */
export interface LedgerReport {
  readonly keyId: string
  readonly buildId: string
  readonly txHash: string
  /** Null: nobody heard it. */
  readonly status: number | null
  readonly recorded: boolean
  readonly alreadyRecorded: boolean
  /** What was true of the world at every moment that the answer may tell of. */
  readonly moments: readonly ObservedReport[]
}

/**
 * What a partner's own books say of a history: kept from what was asked and answered and from the chain itself, without
 * a line of the service.
 */
export interface Ledger {
  readonly builds: ReadonlyMap<string, LedgerBuild>
  readonly facts: ConfirmHistory['builds']
  readonly reports: readonly LedgerReport[]
}

export function ledgerOf(steps: readonly StepInput[], run: Run): Ledger {
  const builds = new Map<string, LedgerBuild>()
  for (const entry of run.log) {
    const step = stepAt(steps, entry.path)
    if (step?.op !== 'build') continue
    const id = buildIdOf(entry)
    const fact = id === null ? undefined : run.builds.get(id)
    if (id === null || fact === undefined) continue
    builds.set(id, { buildId: id, keyId: fact.keyId, usdMicros: usdMicrosOf(step.body) })
  }
  const reports = run.reports.map(({ moments }): LedgerReport => {
    const [report] = moments
    const body = report.answer?.json as { recorded?: unknown; alreadyRecorded?: unknown } | null | undefined
    return {
      keyId: report.keyId,
      buildId: report.buildId.toLowerCase(),
      txHash: report.txHash.toLowerCase(),
      status: report.answer?.status ?? null,
      recorded: body?.recorded === true,
      alreadyRecorded: body?.alreadyRecorded === true,
      moments,
    }
  })
  return { builds, facts: run.builds, reports }
}

/** Builds that were surely credited, with their transactions, and those that may have been. */
export function creditsOf({ reports }: Ledger): {
  readonly sure: ReadonlyMap<string, ReadonlySet<string>>
  readonly possible: ReadonlySet<string>
} {
  const sure = new Map<string, Set<string>>()
  const possible = new Set<string>()
  for (const { status, buildId, txHash } of reports) {
    if (status === 200) sure.set(buildId, (sure.get(buildId) ?? new Set()).add(txHash))
    // An answer that was lost, or a failure, may hide a credit.
    if (status === null || status >= 500) possible.add(buildId)
  }
  return { sure, possible: new Set([...possible].filter((id) => !sure.has(id))) }
}

/** Why the transaction of a report may not be credited to this build at that moment; null: it may. */
export function whyNotDue(
  build: ConfirmHistory['builds'] extends ReadonlyMap<string, infer Facts> ? Facts | undefined : never,
  moment: ObservedReport,
): string | null {
  if (build !== undefined && build.keyId !== moment.keyId) return 'another key made the build'
  return whyNotConfirmable(build, moment.transactions.get(moment.txHash.toLowerCase()), moment.headNumber)
}

/** The step that an entry of the log tells of: `4/0` is the first of those within step 4. */
export function stepAt(steps: readonly StepInput[], path: string): StepInput | undefined {
  const [first, ...rest] = path.split('/')
  const step = steps[Number(first)]
  if (rest.length === 0) return step
  return step?.op === 'meanwhile' ? stepAt(step.steps, rest.join('/')) : undefined
}

function buildIdOf({ answers }: StepLog): string | null {
  const [answer] = answers
  if (answer?.status !== 200) return null
  const body = JSON.parse(answer.body) as { readonly attribution?: { readonly buildId?: unknown } | null }
  const id = body.attribution?.buildId
  return typeof id === 'string' ? id.toLowerCase() : null
}

/** Histories do not touch the price feeds: a build's input is worth what the fixtures say. */
function usdMicrosOf(body: Readonly<Record<string, string | number>>): bigint | null {
  const token = Object.values(REGISTRY).find(({ symbol }) => symbol === body.from)
  if (token === undefined || token.feed === null) return null
  const [whole = '0', fraction = ''] = String(body.amount).split('.')
  const amountRaw = BigInt(whole + fraction.slice(0, token.decimals).padEnd(token.decimals, '0'))
  return (amountRaw * FEEDS[token.feed].answer * 1_000_000n) / 10n ** 8n / 10n ** BigInt(token.decimals)
}
