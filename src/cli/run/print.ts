import { verdictInWords } from '../../reporting/baselineText.ts'
import { type Block, type Inline, mark, paragraph, table } from '../../reporting/document/model.ts'
import { caseRef } from '../../reporting/document/references.ts'
import { baselineBlocks } from '../../reporting/documents/baseline.ts'
import { caseGaps, gapBlocks, requirementGaps } from '../../reporting/documents/gaps.ts'
import { mixedBlocks } from '../../reporting/documents/openPoints.ts'
import { countsOf } from '../../reporting/documents/run.ts'
import {
  classTable,
  meetsBlocks,
  propertyTable,
  requirementTable,
  suiteTable,
} from '../../reporting/documents/tables.ts'
import { plural } from '../../reporting/plural.ts'
import { reportOf } from '../../reporting/report/fromResults.ts'
import type { Report, Status } from '../../reporting/report/model.ts'
import { propertyFamilies } from '../../reporting/report/propertyFamilies.ts'
import { casesOf, type Results } from '../../reporting/results.ts'
import { describeUnanswered } from '../../reporting/unanswered.ts'
import type { Plan } from '../../runner/plan/plan.ts'
import { describeShard } from '../../runner/plan/shard.ts'
import { describeMissed, missedFloors } from '../../runner/verdict/floors.ts'
import { isUnjudged } from '../../runner/verdict/verdict.ts'
import { VENUE_IDS } from '../../spec/venues.ts'
import { type Lifecycles, loadLifecycles } from '../suites/suites.ts'
import { colours } from '../terminal/colours.ts'
import type { Output } from '../terminal/output.ts'
import { printBlocks } from '../terminal/printBlocks.ts'

/** Prints a result: its missing evidence and, unless `quiet`, its tables, gaps and baseline. */
export async function describeResult(result: Results, quiet: boolean, output: Output): Promise<void> {
  const report = reportOf(result)
  printBlocks(missingEvidence(result, report), output.err)
  if (quiet) return
  const names = result.suites.map(({ name }) => name)
  // Loaded only for runs that have them: loading them loads the cases.
  const lifecycles = names.includes('lifecycles') ? lifecycleTable(report.cases, await loadLifecycles()) : []
  // A run of properties alone shows classes of cases instead of every requirement.
  const families = names.join() === 'properties' ? propertyFamilies(result) : []
  printBlocks(
    [
      ...lifecycles,
      ...(families.length === 0 ? [] : [classTable(families), propertyTable(families)]),
      paragraph(`target ${result.target}, profile ${result.profile}, seed ${result.seed}`),
      ...(result.suites.length > 1 ? [suiteTable(report)] : []),
      ...(families.length > 0
        ? []
        : [
            requirementTable(report),
            ...meetsBlocks(report),
            ...requirementGaps(report, ['not-kept', 'untested', 'not-applicable']),
          ]),
      ...caseGaps(report),
      ...mixedBlocks(report),
      ...baselineBlocks(report),
      ...describeShardOf(result),
    ],
    output.out,
  )
}

/** Returns the gaps that make a run inconclusive: missed floors, and the endings of its cases if nothing was judged. */
function missingEvidence(result: Results, report: Report): readonly Block[] {
  const inconclusive = (why: string) => paragraph(mark('inconclusive'), ` ${why}`)
  const unanswered = describeUnanswered(result)
  return [
    ...(unanswered === null ? [] : [inconclusive(unanswered)]),
    ...requirementGaps(report, ['inconclusive']),
    ...(isUnjudged(result) ? [inconclusive(`nothing was judged: ${countsOf(casesOf(result))}`)] : []),
    ...missedFloors(result.floors).map((missed) => inconclusive(describeMissed(missed))),
  ]
}

/** Shorter waits are not worth a line. */
const WAITED_SHOWN_S = 10
const WAITED_FOR = [
  ['line', 'responses while the chain fails'],
  ['time', 'time to pass'],
  ['memo', 'memos to end'],
  ['budget', 'budgets to refill'],
  ['unavailable', 'the service to be available again after 502 or 503'],
  ['pending', 'reports of deep swaps to become final'],
] as const
/** Waits that most services never cause: shown however short. */
const RARE: ReadonlySet<string> = new Set(['unavailable', 'pending'])

/**
 * Returns a line with the waits of all cases, summed by cause: waits that overlap count more than once.
 *
 * @param canOverlap true if a run with more copies could overlap more waits.
 */
export function describeWaits({ suites }: Results, canOverlap: boolean): readonly string[] {
  const cases = suites.flatMap((suite) => suite.cases)
  const waits = WAITED_FOR.map(([cause, what]) => {
    const sumMs = cases.reduce((soFarMs, { waitedMs }) => soFarMs + (waitedMs?.[cause] ?? 0), 0)
    return { seconds: Math.round(sumMs / 1_000), what, isRare: RARE.has(cause) }
  }).filter(({ seconds }) => seconds > 0)
  const isShort = waits.reduce((sumS, { seconds }) => sumS + seconds, 0) < WAITED_SHOWN_S
  if (isShort && !waits.some(({ isRare }) => isRare)) return []
  const advice = canOverlap
    ? '; --instances 4 lets waits overlap, where copies of the service share nothing'
    : ''
  return [`waited: ${waits.map(({ seconds, what }) => `${seconds} s for ${what}`).join(', ')}${advice}`]
}

/** Says which part of the cases a shard ran, and what only the merged run can judge. */
function describeShardOf({ shard, footer }: Results): readonly Block[] {
  if (shard === undefined) return []
  const all = shard.plan.flatMap(({ cases }) => cases).length
  return [
    paragraph(
      `shard ${describeShard(shard)}, ${footer.cases} of ${all} cases; whether a whole run exercised enough is judged by \`plumbline merge\``,
    ),
  ]
}

/** Returns the last line of a run. */
export function describeVerdict(run: Results): string {
  const proves = run.verdict === 'inconclusive' ? ': this run proves neither' : ''
  return colours[COLOURS[run.verdict]](`${verdictInWords(run)}${proves}`)
}

const COLOURS = { conforms: 'green', 'does-not-conform': 'red', inconclusive: 'yellow' } as const

/** Returns how many cases a run would run, and why it would skip the others. */
export function describePlan({ suites }: Plan): readonly Block[] {
  const planned = suites.flatMap((suite) => suite.planned)
  const skipped = suites.flatMap((suite) => suite.skipped).length
  const unfit = planned.flatMap(({ testCase: { id }, notApplicable }) =>
    notApplicable === null ? [] : [{ id, ending: 'not-applicable' as const, reason: notApplicable }],
  )
  return [
    paragraph(`${planned.length - unfit.length} of ${plural(planned.length + skipped, 'case')} would run`),
    ...gapBlocks(unfit, 'cases', caseRef),
    ...(skipped === 0 ? [] : [paragraph(mark('skipped'), ` ${plural(skipped, 'case')}: --skip`)]),
  ]
}

/** Returns a table with a row for each venue and side, and a column for each partner fee that lists the slippages side by side. */
function lifecycleTable(
  cases: readonly { readonly suite: string; readonly id: string; readonly status: Status }[],
  { lifecycleRows, SIDES }: Lifecycles,
): readonly Block[] {
  const known = new Map(
    cases.flatMap(({ suite, id, status }) => (suite === 'lifecycles' ? [[id, status]] : [])),
  )
  if (known.size === 0) return []
  const rows = lifecycleRows()
  const fees = [...new Set(rows.map((row) => row.feeBps))]
  const slippages = [...new Set(rows.map((row) => row.slippageBps))]
  const head = ['venue', 'swap', ...fees.map((fee) => `fee ${fee} bps\nslippage ${slippages.join(' / ')}`)]
  const lines = VENUE_IDS.flatMap((venue) =>
    SIDES.map((side) => {
      const ask = rows.find((row) => row.venue === venue && row.side === side)?.ask
      const cells = fees.map((fee) =>
        slippages.flatMap((slippage, index): readonly Inline[] => {
          const status = known.get(`lifecycle.${venue}.${side}.fee-${fee}.slippage-${slippage}`)
          return [index === 0 ? '' : ' / ', status === undefined ? '-' : mark(status)]
        }),
      )
      return [venue, `${ask?.amount} ${ask?.from} → ${ask?.to}`, ...cells]
    }),
  )
  return [
    paragraph(
      'Quote, build, approve or sign, feeTransfer, swap, 12 blocks, confirm; every balance to the wei:',
    ),
    table('life cycles', head, lines),
  ]
}
