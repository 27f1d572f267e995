import { z } from 'zod'
import { ADDRESS_PATTERN, LIMITS, SYMBOL_PATTERN, TX_HASH_PATTERN } from './limits.ts'
import { VENUE_IDS } from './venues.ts'

type Hex = `0x${string}`

const UUID_PATTERN = /^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/
/** A JSON number. `Number` alone would also accept '', ' 1', '0x10' and 'Infinity'. */
const DECIMAL_PATTERN = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const INTEGER_PATTERN = /^-?\d+$/

/** Returns the message for a value of the wrong type. A repeated query parameter arrives as an array. */
const expecting = (problem: string) => ({
  error: (issue: { readonly input?: unknown }) => {
    if (issue.input === undefined) return 'is required'
    return Array.isArray(issue.input) ? 'must be one value' : problem
  },
})

const text = (problem: string) => z.string(expecting(problem))
const NOT_AN_ADDRESS = 'must be a 0x address of 40 hexadecimal digits'
const address = text(NOT_AN_ADDRESS)
  .regex(ADDRESS_PATTERN, NOT_AN_ADDRESS)
  .transform((value) => value as Hex)
const NOT_A_SOURCE = `${NOT_AN_ADDRESS}, or native`
const addressOrNative = text(NOT_A_SOURCE)
  .regex(/^(?:native|0x[0-9a-fA-F]{40})$/, NOT_A_SOURCE)
  .transform((value) => value as Hex | 'native')
const NOT_A_SYMBOL = 'must be 1 to 24 characters of A-Z, a-z, 0-9, dot, underscore and hyphen'
const symbol = text(NOT_A_SYMBOL).regex(SYMBOL_PATTERN, NOT_A_SYMBOL)
const venue = z.enum(VENUE_IDS, expecting(`must be one of ${VENUE_IDS.join(', ')}`))

interface Range {
  readonly min: number
  readonly max: number
}
/** Turns negative zero into 0, so that no code after parsing sees its sign. */
const unsignedZero = (value: number): number => (value === 0 ? 0 : value)

const NOT_POSITIVE = 'must be a number greater than 0'
const integerProblem = (range: Range) => `must be an integer from ${range.min} to ${range.max}`

/** The schemas of numbers: JSON numbers in a body, decimal text in a query. */
interface Numbers<In extends number | string> {
  readonly positive: () => z.ZodType<number, In>
  readonly integer: (range: Range) => z.ZodType<number, In>
}

const jsonNumbers: Numbers<number> = {
  positive: () => z.number(expecting(NOT_POSITIVE)).gt(0, NOT_POSITIVE),
  integer: (range) => {
    const problem = integerProblem(range)
    return z
      .number(expecting(problem))
      .refine(Number.isInteger, problem)
      .min(range.min, problem)
      .max(range.max, problem)
      .transform(unsignedZero)
      .meta({ type: 'integer' })
  },
}

/** Parses text of this grammar to a number, then applies the checks for the same field in a body. */
const parsed = (grammar: RegExp, problem: string, checks: z.ZodType<number, number>) =>
  text(problem)
    .transform((value, context) => {
      if (grammar.test(value)) return Number(value)
      context.addIssue({ code: 'custom', message: problem })
      return z.NEVER
    })
    .pipe(checks)

const queryNumbers: Numbers<string> = {
  positive: () =>
    parsed(DECIMAL_PATTERN, NOT_POSITIVE, jsonNumbers.positive()).meta({
      type: 'number',
      exclusiveMinimum: 0,
    }),
  integer: (range) =>
    parsed(INTEGER_PATTERN, integerProblem(range), jsonNumbers.integer(range)).meta({
      type: 'integer',
      minimum: range.min,
      maximum: range.max,
    }),
}

/** Returns the fields of both quote and build (§4.1, §4.2), before aliases are resolved and absent values become null. */
const swapFields = <In extends number | string>(numbers: Numbers<In>) => ({
  from: symbol.describe('Input token symbol.'),
  to: symbol.describe('Output token symbol.'),
  amount: numbers.positive().describe('Amount of `from` to sell, in human units.'),
  fromAddress: addressOrNative
    .optional()
    .describe('Address of `from`, or `native`. Required for a token outside the registry.'),
  toAddress: address.optional().describe('Address of `to`. Required for a token outside the registry.'),
  fromDecimals: numbers
    .integer(LIMITS.decimals)
    .optional()
    .describe('Decimals of `from`. Required for a token outside the registry.'),
  toDecimals: numbers
    .integer(LIMITS.decimals)
    .optional()
    .describe('Decimals of `to`. Required for a token outside the registry.'),
  slippageBps: numbers
    .integer(LIMITS.slippageBps)
    .optional()
    .describe(`Slippage in bps. ${LIMITS.slippageBps.default} when absent.`),
  partnerFeeBps: numbers
    .integer(LIMITS.partnerFeeBps)
    .optional()
    .describe(`Partner fee in bps. ${LIMITS.partnerFeeBps.default} when absent.`),
  partnerFeeRecipient: address.optional().describe('Payee of the partner fee. Required when there is a fee.'),
  preferEngine: venue.optional().describe('Use only this venue.'),
  engine: venue.optional().describe('Alias of `preferEngine`.'),
  fromPriceUsd: numbers.positive().optional().describe('Live USD mark of `from`.'),
  toPriceUsd: numbers.positive().optional().describe('Live USD mark of `to`.'),
})

type SwapFields = z.output<z.ZodObject<ReturnType<typeof swapFields<number>>>>

/** Checks the rules that involve two fields (§4.1). */
function checkTogether(fields: SwapFields, context: z.RefinementCtx): void {
  const { engine, preferEngine } = fields
  if (engine !== undefined && preferEngine !== undefined && engine !== preferEngine) {
    context.addIssue({
      code: 'custom',
      path: ['engine'],
      message: 'contradicts preferEngine, its other name',
    })
  }
  if ((fields.partnerFeeBps ?? 0) > 0 && fields.partnerFeeRecipient === undefined) {
    context.addIssue({
      code: 'custom',
      path: ['partnerFeeRecipient'],
      message: 'is required when partnerFeeBps is greater than 0',
    })
  }
}

/** Fills in the defaults and resolves the alias; absent values become null. */
function complete(fields: SwapFields) {
  const partnerFeeBps = fields.partnerFeeBps ?? LIMITS.partnerFeeBps.default
  return {
    from: fields.from,
    to: fields.to,
    amount: fields.amount,
    fromAddress: fields.fromAddress ?? null,
    toAddress: fields.toAddress ?? null,
    fromDecimals: fields.fromDecimals ?? null,
    toDecimals: fields.toDecimals ?? null,
    slippageBps: fields.slippageBps ?? LIMITS.slippageBps.default,
    partnerFeeBps,
    partnerFeeRecipient: partnerFeeBps > 0 ? (fields.partnerFeeRecipient ?? null) : null,
    preferEngine: fields.preferEngine ?? fields.engine ?? null,
    fromPriceUsd: fields.fromPriceUsd ?? null,
    toPriceUsd: fields.toPriceUsd ?? null,
  }
}

const sender = address.describe('Address that signs and swaps.')

/**
 * The query of a quote (§4.1), as URL text. Each parameter may appear at most once; unknown ones are ignored. The path of an
 * issue is the parameter, and its message continues a sentence that starts with that name.
 */
export const quoteQuerySchema = z
  .object({ ...swapFields(queryNumbers), sender: sender.optional() })
  .superRefine(checkTogether)
  .transform((fields) => ({ ...complete(fields), sender: fields.sender ?? null }))

const NOT_AN_OBJECT = 'must be a JSON object'

/** The body of a build (§4.2). Numbers are JSON numbers, no field accepts null, unknown fields are ignored. */
export const buildBodySchema = z
  .object({ ...swapFields(jsonNumbers), sender }, NOT_AN_OBJECT)
  .superRefine(checkTogether)
  .transform((fields) => ({ ...complete(fields), sender: fields.sender }))

/** The body of a confirm (§4.3); both values are converted to lower case. */
export const confirmBodySchema = z.object(
  {
    buildId: text('must be a UUID')
      .regex(UUID_PATTERN, 'must be a UUID')
      .transform((value) => value.toLowerCase())
      .describe('From the `attribution` of the build.'),
    txHash: text('must be a 0x transaction hash of 64 hexadecimal digits')
      .regex(TX_HASH_PATTERN, 'must be a 0x transaction hash of 64 hexadecimal digits')
      .transform((value) => value.toLowerCase() as Hex)
      .describe('Hash of the swap transaction.'),
  },
  NOT_AN_OBJECT,
)
