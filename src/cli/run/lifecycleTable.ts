import { type Block, type Inline, mark, paragraph, table } from '../../reporting/document/model.ts'
import type { Status } from '../../reporting/report/model.ts'
import { VENUE_IDS } from '../../spec/venues.ts'
import type { Lifecycles } from '../suites/suites.ts'

/** Returns a row for each venue and side; a column for each partner fee, with the three slippages next to one another. */
export function lifecycleTable(
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
