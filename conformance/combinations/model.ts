import { ACCOUNTS } from '../../src/fixtures/accounts.ts'
import { OTHER_TOKENS, REGISTRY, type TokenSymbol } from '../../src/fixtures/tokens.ts'
import { baseUnitsAskedBy, type SwapParameters } from '../../src/oracles/index.ts'
import { LIMITS } from '../../src/spec/limits.ts'
import { VENUE_IDS, type VenueId } from '../../src/spec/venues.ts'
import { feedMarkOf } from '../support/feeds.ts'

/**
 * The parameters of a swap, and what happens around it, each with its classes. The first class of each is the plain one: a
 * failing combination is shrunk towards it.
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
  /** The venue that is forced; `any`: none is, nor in `best-a`, where the pools of venue_a were made the best of all. */
  engine: ['any', ...VENUE_IDS, 'best-a', 'best-b', 'best-d', 'best-f'],
  /** Basis points of the partner fee; `none`: left out. */
  fee: ['none', '0', '1', '49', '50'],
  /** Basis points of slippage; `default`: left out. */
  slippage: ['default', '0', '1', '4999', '5000'],
  /** What happens around the build. */
  around: ['nothing', 'venue-fails', 'chain-fails', 'twice-at-once'],
  /** The parameter that names the venue; that both may stand in one request is not said. */
  named: ['preferEngine', 'engine'],
  amount: ['usual', 'small', 'large', 'all-digits', 'exponent'],
  /** The sender, as the quote has it and as it is written; `recipient`: who also gets the partner fee. */
  sender: ['absent', 'given', 'lower-case', 'recipient'],
  marks: ['none', 'both', 'from', 'to'],
  key: ['one', 'two', 'retiring', 'successor'],
  /** The symbol of the token outside the registry; `own`: that of the token itself. */
  symbol: ['own', 'one-letter', 'two-signs', '23-letters', '24-characters', 'sign-first', 'sign-last'],
  /** The quotes: one; the same one right after it; two at the same time; the same one when no memo lasts. */
  quoted: ['once', 'again', 'twice-at-once', 'later'],
  /** The reports: none; once the swap is deep, and again; before that as well; by a key of another partner first. */
  reported: ['no', 'deep', 'early', 'by-another'],
} as const

export type Factor = keyof typeof FACTORS
export const NAMES = Object.keys(FACTORS) as readonly Factor[]
export type Row = { readonly [Name in Factor]: (typeof FACTORS)[Name][number] }

/** The factors of which any three meet; of all others any two do. */
export const IN_THREES = [
  'tokens',
  'engine',
  'fee',
  'slippage',
  'around',
] as const satisfies readonly Factor[]

/** Neighbours of other classes: any two meet, and no three are asked for. */
const ONLY_IN_PAIRS: ReadonlySet<string> = new Set([
  ...['fee 0', 'slippage 4999', 'tokens decimals-6'],
  ...['engine best-a', 'engine best-b', 'engine best-d', 'engine best-f'],
])

/** Returns the row with the plain class of each factor that is not given. */
export function rowOf(given: Partial<Row>): Row {
  const plain = Object.entries(FACTORS).map(([name, classes]) => [name, classes[0]] as const)
  return { ...(Object.fromEntries(plain) as Row), ...given }
}

/** Returns the venue that a row forces, and the one that is made the best for it. */
export function venuesOf(engine: Row['engine']): {
  readonly forced: VenueId | null
  readonly best: VenueId | null
} {
  const forced = VENUE_IDS.find((id) => id === engine) ?? null
  const best = VENUE_IDS.find((id) => id === engine.replace('best-', 'venue_')) ?? null
  return { forced, best: forced === null ? best : null }
}

type Pair = readonly [from: TokenSymbol, to: TokenSymbol]

/** Each token outside the registry that a venue trades, with the token that it is traded for. */
const OUTSIDE: Readonly<Partial<Record<Row['engine'], Pair>>> = {
  any: ['EIGHTEEN', 'WETH'],
  venue_a: ['EIGHTEEN', 'WETH'],
  venue_b: ['ONLY_B', 'WETH'],
  venue_c: ['ONLY_C', 'WETH'],
  venue_d: ['ONLY_D', 'USDG'],
  venue_e: ['ONLY_E', 'ETH'],
  venue_f: ['ONLY_F', 'USDG'],
}

/** The pairs of tokens that only some venues trade. */
const ONLY_AT: Readonly<Partial<Record<Row['tokens'], Partial<Record<Row['engine'], Pair>>>>> = {
  'two-hops': { any: ['WBTC', 'USDG'], venue_a: ['WBTC', 'USDG'] },
  'decimals-0': { any: ['ZERO', 'WETH'], venue_a: ['ZERO', 'WETH'] },
  'decimals-6': { any: ['SIX', 'ETH'], venue_a: ['SIX', 'WETH'], venue_e: ['SIX', 'ETH'] },
  'decimals-36': { any: ['BIG', 'WETH'], venue_a: ['BIG', 'WETH'] },
}

/** Returns the tokens of a row; null: the venue that it forces does not trade them. */
function pairOf({ tokens, engine }: Pick<Row, 'tokens' | 'engine'>): Pair | null {
  const { best } = venuesOf(engine)
  const [outside, against] = OUTSIDE[engine] ?? []
  // The staked ether pool is where venue_d meets the native coin.
  const other = engine === 'venue_d' || best === 'venue_d' ? 'LSETH' : 'USDG'
  switch (tokens) {
    case 'erc20':
      return ['USDG', 'DUSD']
    case 'native-in':
      return ['ETH', other]
    case 'native-out':
      // A price moves one way at a time, and then the native coin is sold.
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
/** Of these, less than a thousandth buys nothing. */
const AGAINST_DOLLARS: Amounts = {
  usual: 2_500,
  small: 0.01,
  large: 20_000,
  'all-digits': 2_500.123456789012,
}
const OF_18: Amounts = { ...AGAINST_DOLLARS, exponent: 2.5e-7 }
const OF_6: Amounts = { usual: 2_500, small: 0.01, large: 20_000, 'all-digits': 2_500.123457 }

/** How much of a token is sold: multiples of 10,000 base units, so that each fee comes out whole, but for `all-digits`. */
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

/** A swap as a row has it, and how its requests name it. */
export interface RowSwap {
  /** The parameters, with the tokens by the symbols that the sandbox has for them. */
  readonly swap: SwapParameters
  /** The side whose symbol is another one, as the request has it. */
  readonly renamed: { readonly side: 'from' | 'to'; readonly symbol: string } | null
}

interface Rule {
  /** The factors that it is about. */
  readonly of: readonly Factor[]
  readonly isKept: (row: Row) => boolean
}

/**
 * What every row keeps: the venue trades the tokens, each class applies to them, and a fee between two base units, which a service
 * may round up, is not more than the slippage.
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

/** Returns the side of the token outside the registry whose symbol may be any; null: there is none. */
function sideOutside(tokens: Row['tokens']): 'from' | 'to' | null {
  if (tokens === 'outside-in') return 'from'
  return tokens === 'outside-out' ? 'to' : null
}

/** Of these amounts gas decides nothing, so that the best price wins. */
const WHATEVER_GAS: readonly Row['amount'][] = ['usual', 'large', 'all-digits']

function amountOf(row: Row): number | null {
  if (venuesOf(row.engine).best !== null && !WHATEVER_GAS.includes(row.amount)) return null
  const [from] = pairOf(row) ?? []
  return from === undefined ? null : ((AMOUNTS[from] ?? OF_18)[row.amount] ?? null)
}

/**
 * Returns the swap of a row.
 *
 * @throws {RangeError} a rule of `RULES` forbids the row.
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

/** The account that swaps. */
export const TRADER = 'alice'

const recipientOf = ({ sender }: Row) => ACCOUNTS[sender === 'recipient' ? TRADER : 'partnerOne'].address

/**
 * Returns the caller's marks, a little off those of the chain's feeds; null: the row has a mark of a token that has no feed, for
 * which a service may know another price.
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
 * Returns the pairs of classes that meet in a row, and the triples of `IN_THREES`, as text.
 *
 * @param row a row, or as much of one as there is.
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

/** Returns every so many of the factors, in the order of the list. */
export function groupsOf(names: readonly Factor[], size: number): readonly (readonly Factor[])[] {
  if (size === 0) return [[]]
  return names.flatMap((name, index) =>
    groupsOf(names.slice(index + 1), size - 1).map((group) => [name, ...group]),
  )
}

/** Returns the row as text: its classes that are not plain. */
export function rowText(row: Row): string {
  const plain = rowOf({})
  return (
    NAMES.filter((name) => row[name] !== plain[name])
      .map((name) => `${name} ${row[name]}`)
      .join(', ') || 'all plain'
  )
}
