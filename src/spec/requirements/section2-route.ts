import { clauses } from './types.ts'

/** §2.2 the fields of `route` and of its `hops`. */
export const routeClauses = [
  ...clauses(
    { section: '2.2', subject: 'quote-and-build' },
    {
      'route.null-or-object': {
        clause: '`route` (object, or null in a quote when no venue can price the pair)',
        statement: '`route` is an object with every field of the table; in a quote it may also be null.',
      },
      'route.engine': {
        clause:
          'Winning venue id: `venue_a`, `venue_b`, `venue_c`, `venue_d`, `venue_e`, `venue_f` or `market`.',
        statement: '`engine` is one of the seven values.',
      },
      'route.venues': {
        clause: 'Human venue labels.',
        statement: '`venues` is a list of non-empty labels; only that of `market` may be empty.',
      },
      'hops.present': {
        clause:
          'Each hop has `from` (token symbol), `to` (token symbol), `dex` (venue id string), `dexName` (label string) and `share`',
        statement: '`hops` has at least one hop, each with its five fields; those of `market` may be empty.',
      },
      'hops.from': {
        clause: '`from` (token symbol)',
        statement: "A hop's `from` is a token symbol.",
      },
      'hops.to': {
        clause: '`to` (token symbol)',
        statement: "A hop's `to` is a token symbol.",
      },
      'hops.path': {
        clause: 'Meaning of the `hops` entry fields beyond their names: not shown.',
        statement:
          'The hops lead from the token sold to the token bought: each begins with the token sold or where another one ends, and ends with the token bought or where another one begins.',
        level: 'convention',
        convention: {
          because:
            'The names `from` and `to` suggest the two ends of a step; the specification does not define them further.',
          accepts: [
            'the symbol of a coin or of its wrapped twin at any place',
            'the hops in any order, and several ways in parallel',
          ],
        },
      },
      'hops.dex': {
        clause: '`dex` (venue id string)',
        statement: "A hop's `dex` is a venue id.",
      },
      'hops.dex-name': {
        clause: '`dexName` (label string)',
        statement: "A hop's `dexName` is a non-empty label.",
      },
      'hops.share': {
        clause: '`share` (number; 1 in the single-venue shape given).',
        statement: 'Where the route of a venue has a single hop, its `share` is 1.',
      },
      'hops.meaning': {
        clause: 'Meaning of the `hops` entry fields beyond their names: not shown.',
        statement:
          'Unspecified: what `share` means where there are several hops, and how hops name wrapped coins.',
        level: 'silent',
      },
      'route.amount-in': {
        clause: 'Amount of `from` sold, human units.',
        statement:
          '`amountIn` is the requested amount, and the calldata of a build sells all of it, a fee inside included.',
        floor: 3,
      },
      'route.amount-out': {
        clause: "Expected output in human units, net of `totalFeeBps` and of the venue's own costs.",
        statement:
          '`amountOut` is what the route delivers when executed at once, and what the exact pool model computes.',
        needs: 'sandbox',
        floor: 3,
      },
      'route.minimum-received.floor': {
        clause: 'Floor at the requested slippage.',
        statement:
          '`minimumReceived` is `amountOut` × (10000 − `slippageBps`) / 10000, rounded down or up to a base unit: the specification names no rounding.',
        floor: 3,
      },
      'route.minimum-received.on-chain': {
        clause: 'It becomes the on-chain minimum output when building.',
        statement:
          'In a build, the minimum output encoded in the calldata is `minimumReceived`, or one base unit more where the number is rounded down; never less, within the rounding of a double.',
        subject: 'build',
        needs: 'sandbox',
        floor: 3,
      },
      'route.mid-rate': {
        clause: '`amountOut / amountIn`.',
        statement:
          '`midRate` is `amountOut` divided by `amountIn`, cut or rounded at its last digit, the sixth or a later one.',
        floor: 3,
      },
      'route.price-impact.magnitude': {
        clause: 'Magnitude of the adverse impact against the USD mark, in bps.',
        statement: '`priceImpactBps` is never negative; a gain is 0.',
      },
      'route.price-impact.against-mark': {
        clause: 'Magnitude of the adverse impact against the USD mark, in bps.',
        statement:
          "`priceImpactBps` is how far the output's USD value falls below the input's, at the USD marks, as a share of either: from half of it less 50 bps to twice as much and 100 bps.",
        needs: 'sandbox',
      },
      'route.price-impact.to-one-bp': {
        clause: 'Magnitude of the adverse impact against the USD mark, in bps.',
        statement: '`priceImpactBps` is that share to one bp.',
        needs: 'sandbox',
        level: 'convention',
        convention: {
          because:
            'The specification does not identify the mark: neither its maximum age nor whether gas or a spread counts.',
          accepts: [
            'the input before the partner fee or after it, a share of either worth',
            "the caller's marks or those of the price feeds",
          ],
        },
      },
      'route.network-fee': {
        clause: 'Estimated gas cost in ETH.',
        statement: '`networkFeeEth` is a non-negative number, in ETH.',
      },
      'route.market.fresh': {
        clause: 'Estimated gas cost in ETH.',
        statement: 'A USD mark and a gas price that changed on the chain show in a quote five seconds later.',
        level: 'convention',
        convention: {
          because:
            'The specification does not limit how long a service may keep a mark or a gas price, and a run in real time cannot wait for ever.',
          accepts: [
            'a memo of both for up to five seconds',
            'any gas price that grows with that of the chain',
          ],
        },
        needs: 'sandbox',
      },
      'route.network-fee.positive': {
        clause: 'Estimated gas cost in ETH.',
        statement: 'When gas has a price on the chain, an executable route has a `networkFeeEth` above 0.',
        needs: 'sandbox',
      },
      'route.network-fee.estimate': {
        clause: 'Estimated gas cost in ETH.',
        statement:
          'In quote and build, `networkFeeEth` is of the order of what the gas of the swap costs when it is executed: more than a tenth of it, and less than ten times as much.',
        needs: 'sandbox',
      },
      'route.slippage-echo': {
        clause: 'Slippage applied.',
        statement: '`slippageBps` is the requested slippage, or 50 when none was sent.',
        floor: 2,
      },
      'route.executable': {
        clause: '`false` only for the `market` fallback, a reference estimate that cannot be built.',
        statement: '`executable` is true for every route except `market`.',
      },
      'route.protocol-fee': {
        clause: 'Fee baked into `amountOut`. Equals `totalFeeBps` on API routes.',
        statement: '`protocolFeeBps` equals `totalFeeBps`.',
      },
      'route.quote-id': {
        clause: '`quoteId` | string (UUID) | Identifier of the quote.',
        statement: '`quoteId` is a UUID.',
      },
      'route.quote-id.distinct': {
        clause: 'Identifier of the quote.',
        statement: 'Quotes with different parameters have different `quoteId`s.',
        floor: 2,
      },
      'route.expires-at': {
        clause: 'Epoch milliseconds after which the amounts are stale.',
        statement:
          '`expiresAt` is an integer in epoch milliseconds, not in the past when the response is sent, and less than a year ahead: seconds, microseconds and nanoseconds lie far outside.',
      },
      'build.route.same-shape': {
        clause: 'The build response carries the same `route` shape as the quote.',
        sameAs: 'build.response.route',
      },
    },
  ),
]

/** §2.2 the entries of `alternatives`. */
export const alternativeClauses = [
  ...clauses(
    { section: '2.2', subject: 'quote-and-build' },
    {
      'alternatives.complete': {
        clause: 'Every venue that answered, winner first.',
        statement:
          '`alternatives` has exactly one entry for each venue that can price the pair, and none for a venue that returns no number.',
        needs: 'sandbox',
      },
      'alternatives.absurd': {
        clause: 'Every venue that answered, winner first.',
        statement: 'A venue that quotes nothing, or more of a token than there is, is left out.',
        needs: 'sandbox',
        level: 'convention',
        convention: {
          because:
            'No swap pays such an amount, so a route that promises it cannot be built; the specification does not say whether it counts as an answer.',
          accepts: ['a limit above which an amount is absurd, as long as no real output reaches it'],
        },
      },
      'alternatives.winner-first': {
        clause: 'Every venue that answered, winner first.',
        statement: "The first entry of `alternatives` is the route's `engine`, and no venue is listed twice.",
        floor: 3,
      },
      'alternatives.engine': {
        clause: '`engine` | string | Venue id.',
        statement: "An alternative's `engine` is one of the six venue ids.",
      },
      'alternatives.label': {
        clause: '`label` | string | Venue label.',
        statement: "An alternative's `label` is not empty.",
      },
      'alternatives.amount-out': {
        clause: 'Output before the gas adjustment.',
        statement: "The winner's `amountOut` equals the route's, before gas is deducted.",
      },
      'alternatives.net': {
        clause: 'After-gas output; the figure the ranking uses.',
        statement: '`netAmountOut` is a number that determines the order of the list.',
      },
      'alternatives.net.signed': {
        clause: 'After-gas output; the figure the ranking uses.',
        statement: '`netAmountOut` is negative where gas costs more than the output.',
        level: 'convention',
        convention: {
          because:
            'The clause does not say whether such an output is shown as 0, which would hide the order of these venues.',
          accepts: ['any figure above 0'],
        },
      },
      'alternatives.gas-cost': {
        clause:
          'Gas cost expressed in output units (the gap between `amountOut` and `netAmountOut` in the shape given).',
        statement: '`gasCostOut` is `amountOut` minus `netAmountOut`, to six significant digits or better.',
        floor: 3,
      },
      'alternatives.gas-cost.output-units': {
        clause: 'Gas cost expressed in output units',
        statement:
          "The winner's `gasCostOut` is worth about as much as the route's `networkFeeEth`, to the order of magnitude: the rate is not shown.",
        needs: 'sandbox',
      },
      'alternatives.delta': {
        clause: 'How far behind the winner, in bps (0 for the winner).',
        statement:
          '`deltaBps` is how far the entry is behind the winner, in bps: 0 for the winner, never negative, never smaller further behind. It may be of the output after gas or before it, relative to the winner or to the entry.',
        floor: 3,
      },
    },
  ),
]
