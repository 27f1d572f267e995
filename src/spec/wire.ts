import { z } from 'zod'
import { ADDRESS_PATTERN, BASE_UNITS_PATTERN, HEX_PATTERN, LIMITS } from './limits.ts'
import { MARKET, VENUE_IDS } from './venues.ts'

/** The form of each field in words. */
const FORMS = new Map<z.ZodType, string>()

function form<Schema extends z.ZodType>(words: string, schema: Schema): Schema {
  FORMS.set(schema, words)
  return schema
}

/**
 * Returns the form that a field of a wire schema must have, in words: `a number, 0 or more`.
 *
 * @throws {RangeError} the schema is not one of the fields below.
 */
export function formOf(schema: z.ZodType): string {
  const words = FORMS.get(schema)
  if (words === undefined) throw new RangeError('the form of this schema has no words')
  return words
}

/** A finite JSON number. JSON.parse turns 1e400 into Infinity, which no field may be. */
const finite = form('a number', z.number().refine(Number.isFinite, 'must be a finite number'))
const nonNegative = form(
  'a number, 0 or more',
  finite.refine((n) => n >= 0, 'must not be negative'),
)
const text = form('a string', z.string())
const flag = form('true or false', z.boolean())
const ADDRESS = 'an address, 0x and 40 hex digits'
const address = form(ADDRESS, z.string().regex(ADDRESS_PATTERN, 'must be a 0x address'))
const addressOrNull = form(`${ADDRESS}, or null`, address.nullable())
const baseUnits = form(
  'base units as a string of decimal digits',
  z.string().regex(BASE_UNITS_PATTERN, 'must be base units as a decimal string'),
)
const uuid = form(
  'a UUID',
  z.string().regex(/^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/, 'must be a UUID'),
)
const venue = form(`one of ${VENUE_IDS.join(', ')}`, z.enum(VENUE_IDS))
const wholeFromTo = ({ min, max }: { readonly min: number; readonly max: number }) =>
  form(`a whole number from ${min} to ${max}`, z.int().min(min).max(max))

const engineSchema = form(`one of ${[...VENUE_IDS, MARKET].join(', ')}`, z.enum([...VENUE_IDS, MARKET]))

/** §2.2 `hops` entry. */
export const hopSchema = z.object({
  from: text,
  to: text,
  dex: text,
  dexName: text,
  share: nonNegative,
})

/** §2.2 entry of `alternatives`. `netAmountOut` is signed: gas may cost more than the output is worth. */
export const alternativeSchema = z.object({
  engine: venue,
  label: text,
  amountOut: nonNegative,
  netAmountOut: finite,
  gasCostOut: nonNegative,
  deltaBps: nonNegative,
})

/** §2.2 `route`. Amounts are human units. */
export const routeSchema = z.object({
  engine: engineSchema,
  venues: form('a list of strings', z.array(text)),
  hops: form('a list', z.array(hopSchema)),
  amountIn: nonNegative,
  amountOut: nonNegative,
  minimumReceived: nonNegative,
  midRate: nonNegative,
  priceImpactBps: nonNegative,
  networkFeeEth: nonNegative,
  slippageBps: wholeFromTo(LIMITS.slippageBps),
  executable: flag,
  protocolFeeBps: nonNegative,
  quoteId: uuid,
  expiresAt: form('a whole number of milliseconds', z.int()),
  alternatives: form('a list', z.array(alternativeSchema)),
})

/** §2.1 the fee envelope of quote and build. */
export const feeEnvelopeShape = {
  listedFeeBps: nonNegative,
  integratorFeeBps: nonNegative,
  partnerFeeBps: wholeFromTo(LIMITS.partnerFeeBps),
  partnerFeeRecipient: addressOrNull,
  totalFeeBps: nonNegative,
}

/** §4.1 Response 200. */
export const quoteResponseSchema = z.object({ route: routeSchema.nullable(), ...feeEnvelopeShape })

/** §2.3 `tx`. */
export const txSchema = z.object({
  to: address,
  data: form('0x and hex digits, two for each byte', z.string().regex(HEX_PATTERN, 'must be 0x hex')),
  value: baseUnits,
  allowanceTarget: addressOrNull,
  permit2: flag,
  chainId: form(`the number ${LIMITS.chainId}`, z.literal(LIMITS.chainId)),
})

/** §2.4 `feeTransfer`. */
export const feeTransferSchema = z.object({
  token: form(`"native", or ${ADDRESS}`, z.union([z.literal('native'), address])),
  to: address,
  amountRaw: baseUnits,
})

/**
 * §2.5 `attribution`. The unit and format of `validUntil` are not shown: any integer or string is well formed, and
 * `parseValidUntil` reads the formats that a reasonable service may send.
 */
export const attributionSchema = z.object({
  buildId: uuid,
  validUntil: form('a time, as a number or a string', z.union([z.number(), z.string()])),
  confirmations: form(`the number ${LIMITS.confirmations}`, z.literal(LIMITS.confirmations)),
})

/** §4.2 Response 200. */
export const buildResponseSchema = z.object({
  route: routeSchema,
  engine: venue,
  tx: txSchema,
  feeTransfer: feeTransferSchema.nullable(),
  attribution: attributionSchema.nullable(),
  ...feeEnvelopeShape,
})

/** §2.5 the result body of confirm with status 200. */
export const confirmResponseSchema = z.object({ recorded: z.boolean(), alreadyRecorded: z.boolean() })

/** §7 the error body of build, which the reference uses on every endpoint. */
export const errorResponseSchema = z.object({ error: z.string() })

export type Hop = z.infer<typeof hopSchema>
export type Alternative = z.infer<typeof alternativeSchema>
export type Route = z.infer<typeof routeSchema>
export type QuoteResponse = z.infer<typeof quoteResponseSchema>
export type BuildTx = z.infer<typeof txSchema>
export type FeeTransfer = z.infer<typeof feeTransferSchema>
export type Attribution = z.infer<typeof attributionSchema>
export type BuildResponse = z.infer<typeof buildResponseSchema>
export type ConfirmResponse = z.infer<typeof confirmResponseSchema>
export type ErrorResponse = z.infer<typeof errorResponseSchema>
