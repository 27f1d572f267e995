import type { RequirementId } from './requirements/index.ts'

/** The tolerance of a number, and the reason why a smaller one would be unfair. */
export interface Tolerance {
  readonly figure: string
  /** The requirements to which it applies. */
  readonly of: readonly RequirementId[]
  readonly accepted: string
  readonly derivation: string
}

/** Returns the tolerances of a requirement. */
export function tolerancesOf(id: RequirementId): readonly Tolerance[] {
  return TOLERANCES.filter((one) => one.of.includes(id))
}

/** Every numeric tolerance of the suite, within which both a service calculating in doubles and an exact one stay. */
export const TOLERANCES: readonly Tolerance[] = [
  {
    figure: 'an amount',
    of: [
      'route.amount-in',
      'route.amount-out',
      'amounts.net-of-fee',
      'fees.total.baked-in',
      'alternatives.amount-out',
      'build.requotes.live',
      'fees.on-input',
    ],
    accepted: 'cut or rounded at its last digit, the sixth or a later one, and 2^-51 of it',
    derivation:
      'The specification names no number of digits. The nearest double is off by 2^-53, the greatest not above by 2^-52, and base units divided by 10^decimals in doubles by three roundings of 2^-53; from the 16th digit on, a double is meaningless.',
  },
  {
    figure: '`minimumReceived`, and the minimum in the calldata',
    of: [
      'route.minimum-received.floor',
      'route.minimum-received.on-chain',
      'tx.data.minimum',
      'build.minimum.encoded',
    ],
    accepted: 'one base unit: rounded down or up',
    derivation:
      'The specification names no rounding. The minimum in the calldata is never below the one shown.',
  },
  {
    figure: 'a fee in base units',
    of: ['fee-transfer.amount-raw', 'build.fee-inside-tx'],
    accepted: 'one base unit more, if it is not a whole number',
    derivation:
      'The specification names no rounding: cutting, rounding to nearest and rounding up all give one of two neighbours.',
  },
  {
    figure: '`midRate`',
    of: ['route.mid-rate'],
    accepted: 'cut or rounded at its last digit, the sixth or a later one, like the amounts',
    derivation:
      'The specification does not fix the number of digits, and the two amounts have their own rounding.',
  },
  {
    figure: '`gasCostOut` against `amountOut` − `netAmountOut`',
    of: ['alternatives.gas-cost'],
    accepted: 'one base unit, 10^-5 of it, and the rounding of the three numbers',
    derivation:
      'It is an estimate, rounded up to base units or to six digits, and the difference of two doubles.',
  },
  {
    figure: 'the order by `netAmountOut`',
    of: ['quote.ranking.after-gas', 'alternatives.net', 'quote.best-route'],
    accepted:
      'any order of outputs that differ by less than the rounding of the numbers and of their subtraction',
    derivation:
      'If gas costs nearly the whole output, rounding of the two figures far exceeds their difference.',
  },
  {
    figure: '`gasCostOut` of the winner against `networkFeeEth`',
    of: ['alternatives.gas-cost.output-units', 'route.network-fee.estimate'],
    accepted: 'a factor of ten either way',
    derivation:
      'The specification shows neither the gas estimate nor the conversion rate. The prices of ETH and WBTC, or of ETH and a dollar, differ by more.',
  },
  {
    figure: '`deltaBps`',
    of: ['alternatives.delta'],
    accepted: 'less than 1 below the lowest or above the highest of four readings',
    derivation:
      'The readings: after gas or before it, relative to the winner or to the entry. Cut or rounded to a whole number, each is off by less than 1.',
  },
  {
    figure: '`priceImpactBps`',
    of: ['route.price-impact.against-mark', 'route.price-impact.to-one-bp'],
    accepted:
      'from half less 50 to double plus 100 of one of four readings; by convention within 1 of one of them',
    derivation:
      'The readings: the input before the partner fee or after it, relative to either value. The specification does not limit the age of the mark.',
  },
  {
    figure: '`validUntil`',
    of: ['attribution.valid-until.window', 'confirm.window.lower-end'],
    accepted: 'two seconds either way',
    derivation:
      'One for a time in whole seconds, one for the moment of the build at which the 20 minutes begin.',
  },
  {
    figure: 'the age of a repeated quote',
    of: ['quote.memo.ends'],
    accepted: 'twice 1.5 s',
    derivation: '"About 1.5 s" sets no bound; double that time is no longer "about".',
  },
  {
    figure: 'the notional of the partner report',
    of: ['partner-report.figures', 'partner-report.server-prices'],
    accepted: '2 % of the input at the price feeds',
    derivation:
      'The service looks up its own price: the pools and feeds of the sandbox lie within one per cent of each other, and the sum may be in whole dollars.',
  },
]
