import { z } from 'zod'
import { ADDRESS_PATTERN, BASE_UNITS_PATTERN, HEX_PATTERN, LIMITS } from './limits.ts'
import { MARKET, VENUE_IDS } from './venues.ts'

/** A finite JSON number. JSON.parse turns 1e400 into Infinity, which no field may be. */
const finite = z.number().refine(Number.isFinite, 'must be a finite number')
const nonNegative = finite.refine((n) => n >= 0, 'must not be negative')
const address = z.string().regex(ADDRESS_PATTERN, 'must be a 0x address')
const baseUnits = z.string().regex(BASE_UNITS_PATTERN, 'must be base units as a decimal string')
const uuid = z.string().regex(/^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/, 'must be a UUID')

const engineSchema = z.enum([...VENUE_IDS, MARKET])

/** §2.2 `hops` entry. */
export const hopSchema = z.object({
  from: z.string(),
  to: z.string(),
  dex: z.string(),
  dexName: z.string(),
  share: nonNegative,
})

/** §2.2 entry of `alternatives`. `netAmountOut` is signed: gas may cost more than the output is worth. */
export const alternativeSchema = z.object({
  engine: z.enum(VENUE_IDS),
  label: z.string(),
  amountOut: nonNegative,
  netAmountOut: finite,
  gasCostOut: nonNegative,
  deltaBps: nonNegative,
})

/** §2.2 `route`. Amounts are human units. */
export const routeSchema = z.object({
  engine: engineSchema,
  venues: z.array(z.string()),
  hops: z.array(hopSchema),
  amountIn: nonNegative,
  amountOut: nonNegative,
  minimumReceived: nonNegative,
  midRate: nonNegative,
  priceImpactBps: nonNegative,
  networkFeeEth: nonNegative,
  slippageBps: z.int().min(LIMITS.slippageBps.min).max(LIMITS.slippageBps.max),
  executable: z.boolean(),
  protocolFeeBps: nonNegative,
  quoteId: uuid,
  expiresAt: z.int(),
  alternatives: z.array(alternativeSchema),
})

/** §2.1 the fee envelope of quote and build. */
export const feeEnvelopeShape = {
  listedFeeBps: nonNegative,
  integratorFeeBps: nonNegative,
  partnerFeeBps: z.int().min(LIMITS.partnerFeeBps.min).max(LIMITS.partnerFeeBps.max),
  partnerFeeRecipient: address.nullable(),
  totalFeeBps: nonNegative,
}

/** §4.1 Response 200. */
export const quoteResponseSchema = z.object({ route: routeSchema.nullable(), ...feeEnvelopeShape })

/** §2.3 `tx`. */
export const txSchema = z.object({
  to: address,
  data: z.string().regex(HEX_PATTERN, 'must be 0x hex'),
  value: baseUnits,
  allowanceTarget: address.nullable(),
  permit2: z.boolean(),
  chainId: z.literal(LIMITS.chainId),
})

/** §2.4 `feeTransfer`. */
export const feeTransferSchema = z.object({
  token: z.union([z.literal('native'), address]),
  to: address,
  amountRaw: baseUnits,
})

/**
 * §2.5 `attribution`. The unit and format of `validUntil` are not shown: any integer or string is well formed, and
 * `parseValidUntil` reads the formats that a reasonable service may send.
 */
export const attributionSchema = z.object({
  buildId: uuid,
  validUntil: z.union([z.number(), z.string()]),
  confirmations: z.literal(LIMITS.confirmations),
})

/** §4.2 Response 200. */
export const buildResponseSchema = z.object({
  route: routeSchema,
  engine: z.enum(VENUE_IDS),
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
