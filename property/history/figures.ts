import type { Property } from '../../src/runner/family.ts'
import type { Run } from '../../src/simulation/runLog.ts'
import type { StepInput } from '../../src/simulation/steps.ts'
import { insist } from '../relation/observed.ts'
import { creditsOf, stepAt } from './ledger.ts'
import { lastHealing, type ObservedHistory } from './observe.ts'

interface Figures {
  readonly confirmedSwaps?: unknown
  readonly lastConfirmationAt?: unknown
  readonly estimatedInputUsd?: unknown
  readonly pricedSwaps?: unknown
  readonly unpricedSwaps?: unknown
}

export const metricsEqualLedger: Property<ObservedHistory> = {
  id: 'history.metrics-equal-the-ledger',
  title: "the partner report equals the partner's own ledger, key by key",
  requirements: [
    'partner-report.figures',
    'partner-report.per-key',
    'partner-report.server-prices',
    'partner-report.only-reported',
  ],
  holds: ({ steps, run, ledger }) => {
    let questions = 0
    const { sure, possible } = creditsOf(ledger)
    for (const [key, answer] of finalReports(steps, run)) {
      const figures = JSON.parse(answer) as Figures & { readonly keyId?: unknown }
      const mine = [...sure.keys()]
        .flatMap((id) => ledger.builds.get(id) ?? [])
        .filter(({ keyId }) => keyId === figures.keyId)
      const perhaps = [...possible].filter((id) => ledger.builds.get(id)?.keyId === figures.keyId).length
      const swaps = Number(figures.confirmedSwaps)
      insist(
        'partner-report.figures',
        mine.length <= swaps && swaps <= mine.length + perhaps,
        `${mine.length} to ${mine.length + perhaps} confirmed swaps of ${key}`,
        `${figures.confirmedSwaps}`,
      )
      questions += 1
      if (perhaps > 0) continue
      const micros = mine.reduce((sum, { usdMicros }) => sum + (usdMicros ?? 0n), 0n)
      const expected = {
        pricedSwaps: mine.filter(({ usdMicros }) => usdMicros !== null).length,
        unpricedSwaps: mine.filter(({ usdMicros }) => usdMicros === null).length,
        estimatedInputUsd: Number(`${micros}e-6`),
        hasConfirmation: mine.length > 0,
      }
      const seen = {
        pricedSwaps: figures.pricedSwaps,
        unpricedSwaps: figures.unpricedSwaps,
        estimatedInputUsd: figures.estimatedInputUsd,
        hasConfirmation: figures.lastConfirmationAt !== null,
      }
      insist(
        'partner-report.server-prices',
        JSON.stringify(expected) === JSON.stringify(seen),
        JSON.stringify(expected),
        JSON.stringify(seen),
      )
    }
    return questions
  },
}

/**
 * The figures that each key was given after the last report of a transaction.
 *
 * @throws {PromiseBrokenError} an active key got none although everything works again.
 */
function finalReports(steps: readonly StepInput[], run: Run): ReadonlyMap<string, string> {
  const last = Math.max(...run.log.map(({ op }, index) => (op === 'confirm' || op === 'race' ? index : -1)))
  const healed = lastHealing(run)
  const revoked = new Set<string>()
  const found = new Map<string, string>()
  for (const [index, { path, op, answers }] of run.log.entries()) {
    const step = stepAt(steps, path)
    const [answer] = answers
    if (step?.op === 'revoke-key') revoked.add(step.key)
    if (op !== 'report' || step?.op !== 'report' || index < last || answer === undefined) continue
    const due = index >= healed && !revoked.has(step.key)
    if (due)
      insist('partner-report.figures', answer.status === 200, `figures for ${step.key}`, `${answer.status}`)
    if (answer.status === 200) found.set(step.key, answer.body)
  }
  return found
}
