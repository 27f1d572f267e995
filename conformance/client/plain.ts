import { VENUE_IDS } from '../../src/spec/venues.ts'
import { clientCases, FEE, NATIVE, named, TOKENS } from './support.ts'

/** Requirements that a swap on each venue exercises, by its approval or permit and its fee transfer (§4.2 rules 4 and 5). */
const NEEDS = {
  venue_a: ['client.approval.spender', 'client.fee-transfer.none'],
  venue_b: ['client.approval.permit', 'client.fee-transfer.none'],
  venue_c: ['client.approval.spender', 'client.fee-transfer-first', 'client.fee-transfer.exact'],
  venue_d: ['client.approval.spender', 'client.fee-transfer-first', 'client.fee-transfer.exact'],
  venue_e: ['client.approval.permit', 'client.fee-transfer.none'],
  venue_f: ['client.approval.spender', 'client.fee-transfer.none'],
} as const

/** Swaps to which nothing happens. */
export const plainClientCases = clientCases({
  ...Object.fromEntries(
    VENUE_IDS.map((venue) => [
      `swap.${venue}`,
      {
        title: `a swap at ${venue} with a fee`,
        requirements: [
          ...NEEDS[venue],
          'client.tx.unchanged',
          'client.reports-swap',
          'client.same-fee-on-build',
          'client.same-swap-on-build',
        ],
        goal: { ...TOKENS, ...FEE, preferEngine: venue },
      },
    ]),
  ),
  'swap.native': {
    title: 'a swap of the native coin, which needs no approval',
    requirements: [
      'client.approval.none',
      'client.fee-transfer.none',
      'client.tx.unchanged',
      'client.authorization',
      'client.confirm.same-key',
      'client.sender',
    ],
    goal: { ...NATIVE, ...FEE, preferEngine: 'venue_a' },
  },
  'swap.native.fee-transfer': {
    title: 'a swap of the native coin whose fee is transferred',
    requirements: ['client.fee-transfer-first', 'client.fee-transfer.exact', 'client.approval.none'],
    goal: { ...NATIVE, ...FEE, preferEngine: 'venue_c' },
  },
  'swap.without-fee': {
    title: 'a swap without a fee at a venue that transfers fees',
    requirements: ['client.fee-transfer.none', 'client.done-when-recorded'],
    goal: { ...TOKENS, preferEngine: 'venue_c' },
  },
  'swap.best-venue': {
    title: 'a swap at whatever venue is the best, with a slippage of its own',
    requirements: [
      ...(['client.same-swap-on-build', 'client.quote.parameters'] as const),
      ...(['client.build.body', 'client.confirm.build-id'] as const),
    ],
    goal: { ...TOKENS, ...FEE, slippageBps: 120 },
  },
  'swap.without-attribution': {
    title: 'a swap under the legacy key, whose builds have no attribution',
    requirements: ['client.no-attribution-no-report'],
    goal: NATIVE,
    key: 'legacy',
  },
  'swap.unknown-fields': {
    title: 'responses have fields that the specification does not name',
    requirements: ['client.done-when-recorded'],
    goal: { ...TOKENS, ...FEE },
    faults: named('unknown-fields'),
  },
})
