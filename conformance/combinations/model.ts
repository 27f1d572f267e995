import { ACCOUNTS } from '../../src/fixtures/accounts.ts'
import { OTHER_TOKENS, REGISTRY, type TokenSymbol } from '../../src/fixtures/tokens.ts'
import { baseUnitsAskedBy, type SwapParameters } from '../../src/oracles/index.ts'
import { LIMITS } from '../../src/spec/limits.ts'
import { VENUE_IDS, type VenueId } from '../../src/spec/venues.ts'
import { feedMarkOf } from '../support/feeds.ts'

/**
 * The parameters of a swap and the events around it, each with its classes. The first class of each is the plain one, towards
 * which a failing combination is shrunk.
 */
export const FACTORS = {
  tokens: [
    'erc20',
    'native-in',
    'native-out',
    'outside-in',
    'outside-out',
    'two-hops',
    'decimals-0',
    'decimals-6',
    'decimals-36',
  ],
  /** The forced venue. `any` forces none, nor does `best-a`, which makes the pools of venue_a the best. */
  engine: ['any', ...VENUE_IDS, 'best-a', 'best-b', 'best-d', 'best-f'],
  /** Partner fee in basis points; `none`: omitted. */
  fee: ['none', '0', '1', '49', '50'],
  /** Slippage in basis points; `default`: omitted. */
  slippage: ['default', '0', '1', '4999', '5000'],
  /** The event around the build. */
  around: ['nothing', 'venue-fails', 'chain-fails', 'twice-at-once'],
  /** The parameter that names the venue. Sending both in one request is unspecified. */
  named: ['preferEngine', 'engine'],
  amount: ['usual', 'small', 'large', 'all-digits', 'exponent'],
  /** The sender of the quote and its spelling; `recipient`: the sender also receives the partner fee. */
  sender: ['absent', 'given', 'lower-case', 'recipient'],
  marks: ['none', 'both', 'from', 'to'],
  key: ['one', 'two', 'retiring', 'successor'],
  /** The symbol used for the token outside the registry; `own`: the token's real symbol. */
  symbol: ['own', 'one-letter', 'two-signs', '23-letters', '24-characters', 'sign-first', 'sign-last'],
  /** The quotes: one; one repeated immediately; two concurrently; one repeated after every memo has expired. */
  quoted: ['once', 'again', 'twice-at-once', 'later'],
  /** The reports: none; when the swap is deep, twice; also before it is deep; first by another partner's key. */
  reported: ['no', 'deep', 'early', 'by-another'],
} as const

export type Factor = keyof typeof FACTORS
export const NAMES = Object.keys(FACTORS) as readonly Factor[]
export type Row = { readonly [Name in Factor]: (typeof FACTORS)[Name][number] }

/** Factors whose classes are covered in triples; all other factors are covered in pairs. */
export const IN_THREES = [
  'tokens',
  'engine',
  'fee',
  'slippage',
  'around',
] as const satisfies readonly Factor[]

/** Classes close to another class: covered in pairs only. */
const ONLY_IN_PAIRS: ReadonlySet<string> = new Set([
  ...['fee 0', 'slippage 4999', 'tokens decimals-6'],
  ...['engine best-a', 'engine best-b', 'engine best-d', 'engine best-f'],
])

/** Returns the row with the plain class for each factor that is not given. */
export function rowOf(given: Partial<Row>): Row {
  const plain = Object.entries(FACTORS).map(([name, classes]) => [name, classes[0]] as const)
  return { ...(Object.fromEntries(plain) as Row), ...given }
}

/** Returns the venue that a row forces, and the venue that is made the best for it. */
export function venuesOf(engine: Row['engine']): {
  readonly forced: VenueId | null
  readonly best: VenueId | null
} {
  const forced = VENUE_IDS.find((id) => id === engine) ?? null
  const best = VENUE_IDS.find((id) => id === engine.replace('best-', 'venue_')) ?? null
  return { forced, best: forced === null ? best : null }
}

type Pair = readonly [from: TokenSymbol, to: TokenSymbol]

/** For each engine, a token outside the registry and the token it trades against. */
const OUTSIDE: Readonly<Partial<Record<Row['engine'], Pair>>> = {
  any: ['EIGHTEEN', 'WETH'],
  venue_a: ['EIGHTEEN', 'WETH'],
  venue_b: ['ONLY_B', 'WETH'],
  venue_c: ['ONLY_C', 'WETH'],
  venue_d: ['ONLY_D', 'USDG'],
  venue_e: ['ONLY_E', 'ETH'],
  venue_f: ['ONLY_F', 'USDG'],
}

/** Token pairs that only some venues trade. */
const ONLY_AT: Readonly<Partial<Record<Row['tokens'], Partial<Record<Row['engine'], Pair>>>>> = {
  'two-hops': { any: ['WBTC', 'USDG'], venue_a: ['WBTC', 'USDG'] },
  'decimals-0': { any: ['ZERO', 'WETH'], venue_a: ['ZERO', 'WETH'] },
  'decimals-6': { any: ['SIX', 'ETH'], venue_a: ['SIX', 'WETH'], venue_e: ['SIX', 'ETH'] },
  'decimals-36': { any: ['BIG', 'WETH'], venue_a: ['BIG', 'WETH'] },
}

/** Returns the tokens of a row; null: its venue does not trade them. */
function pairOf({ tokens, engine }: Pick<Row, 'tokens' | 'engine'>): Pair | null {
  const { best } = venuesOf(engine)
  const [outside, against] = OUTSIDE[engine] ?? []
  // venue_d trades the native coin in the staked ether pool.
  const other = engine === 'venue_d' || best === 'venue_d' ? 'LSETH' : 'USDG'
  switch (tokens) {
    case 'erc20':
      return ['USDG', 'DUSD']
    case 'native-in':
      return ['ETH', other]
    case 'native-out':
      // The price of the best venue favours one direction of a pair, here the sale of the native coin.
      return best === null ? [other, 'ETH'] : null
    case 'outside-in':
      return outside === undefined || against === undefined ? null : [outside, against]
    case 'outside-out':
      return outside === undefined || against === undefined ? null : [against, outside]
    default:
      return ONLY_AT[tokens]?.[engine] ?? null
  }
}

type Amounts = Readonly<Partial<Record<Row['amount'], number>>>

const COINS: Amounts = {
  usual: 0.75,
  small: 1e-5,
  large: 12,
  'all-digits': 0.7512345678901234,
  exponent: 2.5e-7,
}
/** Selling less than a thousandth of these tokens buys nothing. */
const AGAINST_DOLLARS: Amounts = {
  usual: 2_500,
  small: 0.01,
  large: 20_000,
  'all-digits': 2_500.123456789012,
}
const OF_18: Amounts = { ...AGAINST_DOLLARS, exponent: 2.5e-7 }
const OF_6: Amounts = { usual: 2_500, small: 0.01, large: 20_000, 'all-digits': 2_500.123457 }

/** Amounts to sell: multiples of 10,000 base units, so that each fee is a whole number, except `all-digits`. */
const AMOUNTS: Readonly<Partial<Record<TokenSymbol, Amounts>>> = {
  ETH: COINS,
  WETH: COINS,
  LSETH: COINS,
  USDG: { ...OF_6, usual: 1_234.56, 'all-digits': 1_234.567891 },
  WBTC: { usual: 0.25, small: 1e-4, large: 2, 'all-digits': 0.25123457 },
  SIX: OF_6,
  ONLY_D: AGAINST_DOLLARS,
  ONLY_E: OF_6,
  ONLY_F: AGAINST_DOLLARS,
  ZERO: { usual: 400 },
  BIG: { exponent: 1.234567890123456e-6 },
}

const SYMBOLS: Readonly<Record<Exclude<Row['symbol'], 'own'>, string>> = {
  'one-letter': 'x',
  'two-signs': '-_',
  '23-letters': 'B'.repeat(23),
  '24-characters': 'a.b_C-9'.padEnd(24, 'Z'),
  'sign-first': '.wrapped',
  'sign-last': 'LP_',
}

/** The swap of a row, and the symbol that its requests use. */
export interface RowSwap {
  /** The parameters, with the sandbox's symbols for the tokens. */
  readonly swap: SwapParameters
  /** The side that requests name by another symbol; null: neither. */
  readonly renamed: { readonly side: 'from' | 'to'; readonly symbol: string } | null
}

interface Rule {
  /** The factors that the rule constrains. */
  readonly of: readonly Factor[]
  readonly isKept: (row: Row) => boolean
}

/**
 * Rules for every row: the venue trades the tokens, each class applies to them, and a fractional fee, which a service may round
 * up, does not exceed the slippage.
 */
export const RULES: readonly Rule[] = [
  { of: ['tokens', 'engine'], isKept: (row) => pairOf(row) !== null },
  {
    of: ['engine', 'named'],
    isKept: ({ named, engine }) => named === 'preferEngine' || venuesOf(engine).forced !== null,
  },
  { of: ['fee', 'sender'], isKept: ({ sender, fee }) => sender !== 'recipient' || fee !== 'none' },
  {
    of: ['tokens', 'symbol'],
    isKept: ({ symbol, tokens }) => symbol === 'own' || sideOutside(tokens) !== null,
  },
  { of: ['tokens', 'engine', 'amount'], isKept: (row) => amountOf(row) !== null },
  { of: ['tokens', 'engine', 'marks'], isKept: (row) => marksOf(row) !== null },
  { of: ['tokens', 'engine', 'amount', 'fee', 'slippage'], isKept: (row) => hasWholeFee(row) },
]

/** Returns the side of the token outside the registry, whose symbol is free; null: neither side. */
function sideOutside(tokens: Row['tokens']): 'from' | 'to' | null {
  if (tokens === 'outside-in') return 'from'
  return tokens === 'outside-out' ? 'to' : null
}

/** Amounts for which gas does not affect the ranking, so the best price wins. */
const WHATEVER_GAS: readonly Row['amount'][] = ['usual', 'large', 'all-digits']

function amountOf(row: Row): number | null {
  if (venuesOf(row.engine).best !== null && !WHATEVER_GAS.includes(row.amount)) return null
  const [from] = pairOf(row) ?? []
  return from === undefined ? null : ((AMOUNTS[from] ?? OF_18)[row.amount] ?? null)
}

/**
 * Returns the swap of a row.
 *
 * @throws {RangeError} if one of `RULES` forbids the row.
 */
export function swapOfRow(row: Row): RowSwap {
  const [pair, amount, marks] = [pairOf(row), amountOf(row), marksOf(row)]
  if (pair === null || amount === null || marks === null) throw new RangeError(`no swap has ${rowText(row)}`)
  const [from, to] = pair
  const { fee, slippage } = row
  const { forced } = venuesOf(row.engine)
  const swap: SwapParameters = {
    ...{ from, to, amount },
    ...(slippage === 'default' ? {} : { slippageBps: Number(slippage) }),
    ...(fee === 'none' ? {} : { partnerFeeBps: Number(fee), partnerFeeRecipient: recipientOf(row) }),
    ...marks,
    ...(forced === null ? {} : { preferEngine: forced }),
  }
  const side = sideOutside(row.tokens)
  const renamed = side === null || row.symbol === 'own' ? null : { side, symbol: SYMBOLS[row.symbol] }
  return { swap, renamed }
}

export const TRADER = 'alice'

const recipientOf = ({ sender }: Row) => ACCOUNTS[sender === 'recipient' ? TRADER : 'partnerOne'].address

/**
 * Returns the caller's marks, slightly off the chain's price feeds; null: a marked token has no feed, and a service may know
 * another price for it.
 */
function marksOf(row: Row): Pick<SwapParameters, 'fromPriceUsd' | 'toPriceUsd'> | null {
  if (row.marks === 'none') return {}
  const [from, to] = pairOf(row) ?? []
  const near = (name: 'fromPriceUsd' | 'toPriceUsd', symbol: string | undefined, by: number) => {
    const mark = symbol === undefined ? null : feedMarkOf(symbol)
    return mark === null ? null : { [name]: Number((mark * by).toFixed(6)) }
  }
  const given = [
    row.marks === 'to' ? {} : near('fromPriceUsd', from, 1.01),
    row.marks === 'from' ? {} : near('toPriceUsd', to, 0.99),
  ]
  return given.includes(null) ? null : Object.assign({}, ...given)
}

function hasWholeFee(row: Row): boolean {
  const amount = amountOf(row)
  const [from] = pairOf(row) ?? []
  if (from === undefined || amount === null || row.fee === 'none') return true
  const { raw } = baseUnitsAskedBy(amount, { ...REGISTRY, ...OTHER_TOKENS }[from].decimals)
  const slippageBps = row.slippage === 'default' ? LIMITS.slippageBps.default : Number(row.slippage)
  const isWhole = (raw * BigInt(row.fee)) % BigInt(LIMITS.bpsDenominator) === 0n
  return isWhole || raw * BigInt(slippageBps) > BigInt(LIMITS.bpsDenominator)
}

/**
 * Returns the pairs of classes in a row, and the triples of `IN_THREES`, as text.
 *
 * @param row a complete or partial row.
 */
export function meetingsOf(row: Partial<Row>): {
  readonly pairs: readonly string[]
  readonly triples: readonly string[]
} {
  const present = (names: readonly Factor[]) => names.filter((name) => row[name] !== undefined)
  const text = (names: readonly Factor[]) => names.map((name) => `${name} ${row[name]}`).join(' × ')
  const inThrees = present(IN_THREES).filter((name) => !ONLY_IN_PAIRS.has(`${name} ${row[name]}`))
  return { pairs: groupsOf(present(NAMES), 2).map(text), triples: groupsOf(inThrees, 3).map(text) }
}

/** Returns every combination of `size` factors, in the order of the list. */
export function groupsOf(names: readonly Factor[], size: number): readonly (readonly Factor[])[] {
  if (size === 0) return [[]]
  return names.flatMap((name, index) =>
    groupsOf(names.slice(index + 1), size - 1).map((group) => [name, ...group]),
  )
}

/** Returns the classes of a row that are not plain, as text. */
export function rowText(row: Row): string {
  const plain = rowOf({})
  return (
    NAMES.filter((name) => row[name] !== plain[name])
      .map((name) => `${name} ${row[name]}`)
      .join(', ') || 'all plain'
  )
}
