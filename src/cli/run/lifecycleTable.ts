import { shownStatus } from '../../reporting/baseline.ts'
import type { CaseRow } from '../../reporting/results.ts'
import { VENUE_IDS } from '../../spec/venues.ts'
import { colours } from '../colours.ts'
import { lifecycleRows, SIDES } from '../suites.ts'
import { table } from '../table.ts'

const MARK: Readonly<Record<CaseRow['status'] | 'excused', string>> = {
  pass: colours.green('ok'),
  fail: colours.red('FAIL'),
  excused: colours.yellow('excused'),
  observed: colours.cyan('observed'),
  'not-applicable': colours.dim('n/a'),
  skipped: colours.dim('skip'),
  inconclusive: colours.yellow('?'),
}

/** Returns a row for each venue and side; a column for each partner fee, with the three slippages next to one another. */
export function lifecycleTable(results: readonly CaseRow[], excused: { has(id: string): boolean }): string {
  const rows = lifecycleRows()
  const fees = [...new Set(rows.map((row) => row.feeBps))]
  const slippages = [...new Set(rows.map((row) => row.slippageBps))]
  const head = ['venue', 'swap', ...fees.map((fee) => `fee ${fee} bps\nslippage ${slippages.join(' / ')}`)]
  const known = new Map(results.map((result) => [result.id, shownStatus(result, excused)]))
  const lines = VENUE_IDS.flatMap((venue) =>
    SIDES.map((side) => {
      const ask = rows.find((row) => row.venue === venue && row.side === side)?.ask
      const cells = fees.map((fee) =>
        slippages
          .map((slippage) => known.get(`lifecycle.${venue}.${side}.fee-${fee}.slippage-${slippage}`))
          .map((status) => (status === undefined ? '-' : MARK[status]))
          .join(' / '),
      )
      return [venue, `${ask?.amount} ${ask?.from} → ${ask?.to}`, ...cells]
    }),
  )
  return `Quote, build, approve or sign, feeTransfer, swap, 12 blocks, confirm; every balance to the wei:\n${table(head, lines)}`
}
