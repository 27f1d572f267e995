import { describeRange, seedsIn } from '../../../campaign/range.ts'
import type { CampaignStatus } from '../../../campaign/status.ts'
import type { CampaignSnapshot } from '../../../campaign/watch.ts'
import { colours } from '../../terminal/colours.ts'
import { fitLines } from '../../terminal/fitLines.ts'
import { describePlan } from '../caseTables.ts'
import { describeCoverage, describeRate, machinesTable } from '../statusText.ts'
import { describeFailure, lengthOf, stateOf } from '../tables.ts'

/** A bar that is longer shows no more. */
const BAR_MAX = 60
/** Machines that have a row of their own. */
const MACHINES_SHOWN = 6

/**
 * Returns what a terminal shows of a campaign, in lines of at most so many columns; but a command that runs a failure again stays
 * whole, to be copied.
 */
export function linesOf({ status, away }: CampaignSnapshot, width: number): readonly string[] {
  const { campaign, coverage, machines, failures } = status
  const fitted = (text: string, indent = 0, hanging = indent + 2) => fitLines(text, width, indent, hanging)
  const head = [
    `campaign ${campaign.id}, ${describePlan(campaign.plan)}, seeds ${describeRange(campaign)}: ${stateOf(campaign)}`,
    ...describeRate(status),
  ]
  return [
    ...fitted(head.join(', ')).map((line, index) => (index === 0 ? colours.bold(line) : line)),
    barOf(status, width),
    ...(away === null ? [] : fitted(`the database is away: ${away}; waiting for it`).map(colours.red)),
    ...(campaign.problem === null ? [] : fitted(`stopped: ${campaign.problem}`).map(colours.red)),
    ...fitted(describeCoverage(coverage)),
    ...(machines.length === 0 ? [] : machinesTable(busiest(machines), width).split('\n')),
    ...failures.flatMap((failure) => linesOfFailure(failure, status, width)),
  ]
}

/** Returns the first lines of a failure: which it is, the command that runs it again, what it is. */
function linesOfFailure(
  failure: CampaignStatus['failures'][number],
  { campaign }: CampaignStatus,
  width: number,
): readonly string[] {
  const { status, shrunk } = failure
  const paint = status === 'fail' ? colours.red : colours.yellow
  const [head = '', again = '', what = ''] = describeFailure(failure, campaign.plan).split('\n')
  const problem = shrunk !== null && 'problem' in shrunk ? `; not shrunk: ${shrunk.problem}` : ''
  const small = shrunk === null || 'problem' in shrunk ? problem : `; shrunk to ${lengthOf(shrunk)}`
  return [
    ...fitLines(`${head}${small}`, width, 0, 2).map(paint),
    again.replace('again with: ', ''),
    ...fitLines(what.trimStart(), width, 2),
  ]
}

function barOf({ campaign }: CampaignStatus, width: number): string {
  const [done, all] = [campaign.seedsDone, seedsIn(campaign)]
  const text = ` ${done.toLocaleString('en')} of ${all.toLocaleString('en')}, ${Math.floor((100 * done) / all)}%`
  const room = Math.max(1, Math.min(BAR_MAX, width - text.length))
  const full = Math.floor((room * done) / all)
  return `${colours.green('█'.repeat(full))}${colours.dim('░'.repeat(room - full))}${text}`
}

/** Those with most in hand; all others are one row. */
function busiest(machines: CampaignStatus['machines']): CampaignStatus['machines'] {
  const sorted = machines.toSorted((one, other) => other.inHand - one.inHand || other.seeds - one.seeds)
  if (sorted.length <= MACHINES_SHOWN) return sorted
  const others = sorted.slice(MACHINES_SHOWN)
  const sum = (of: 'ranges' | 'seeds' | 'inHand') => others.reduce((total, each) => total + each[of], 0)
  return [
    ...sorted.slice(0, MACHINES_SHOWN),
    {
      machine: `${others.length} more`,
      ranges: sum('ranges'),
      seeds: sum('seeds'),
      inHand: sum('inHand'),
    },
  ]
}
