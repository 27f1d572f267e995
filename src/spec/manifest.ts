import { z } from 'zod'
import { ADDRESS_PATTERN, LIMITS } from './limits.ts'
import { VENUE_IDS } from './venues.ts'

/** The version of the manifest's format. Readers refuse any other. */
export const MANIFEST_SCHEMA = 'plumbline-sandbox/1'

const address = z
  .string()
  .regex(ADDRESS_PATTERN)
  .transform((value) => value as `0x${string}`)
const hex32 = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/)
  .transform((value) => value as `0x${string}`)

/** A token. `address` is the zero address for the native coin. `feed` returns USD per whole token; null: no price feed. */
const token = z.strictObject({
  symbol: z.string(),
  name: z.string(),
  address,
  decimals: z.int().min(LIMITS.decimals.min).max(LIMITS.decimals.max),
  feed: address.nullable(),
})

/** The way in which the user approves the venue's transaction for an ERC-20. `permit2`: the spender that the permit names. */
const approval = z.strictObject({ kind: z.enum(['erc20', 'permit2']), spender: address })

const common = {
  label: z.string(),
  /** The contract that quotes, swaps, and has the fault switch. */
  address,
  abi: z.array(z.record(z.string(), z.unknown())),
  approval,
  /** `tx.to` of this venue's transactions: the settlement contract, or the venue itself. */
  target: address,
}
const pair = z.strictObject({ tokens: z.tuple([address, address]), pool: address.optional() })

const venue = z.discriminatedUnion('id', [
  z.strictObject({
    id: z.literal(VENUE_IDS[0]),
    kind: z.literal('constant-product'),
    fee: z.literal('inside'),
    ...common,
    factory: address,
    initCodeHash: hex32,
    pairs: z.array(pair),
  }),
  z.strictObject({
    id: z.literal(VENUE_IDS[1]),
    kind: z.literal('concentrated'),
    fee: z.literal('inside'),
    ...common,
    factory: address,
    feeTiers: z.array(z.strictObject({ fee: z.int(), tickSpacing: z.int() })),
    pools: z.array(z.strictObject({ tokens: z.tuple([address, address]), fee: z.int(), pool: address })),
  }),
  z.strictObject({
    id: z.literal(VENUE_IDS[2]),
    kind: z.literal('order-book'),
    fee: z.literal('transfer'),
    ...common,
    pairs: z.array(pair),
  }),
  z.strictObject({
    id: z.literal(VENUE_IDS[3]),
    kind: z.literal('stable-swap'),
    fee: z.literal('transfer'),
    ...common,
    pairs: z.array(pair),
  }),
  z.strictObject({
    id: z.literal(VENUE_IDS[4]),
    kind: z.literal('singleton'),
    fee: z.literal('inside'),
    ...common,
    poolManager: address,
    poolKeys: z.array(
      z.strictObject({
        currency0: address,
        currency1: address,
        fee: z.int(),
        tickSpacing: z.int(),
        hooks: address,
      }),
    ),
    /** The fee and spacing combinations to try for currencies that appear in no listed key. */
    feeTiers: z.array(z.strictObject({ fee: z.int(), tickSpacing: z.int() })),
  }),
  z.strictObject({
    id: z.literal(VENUE_IDS[5]),
    kind: z.literal('oracle-maker'),
    fee: z.literal('inside'),
    ...common,
    pairs: z.array(pair),
  }),
])

/**
 * The manifest of a sandbox: everything an implementation needs to serve it, and nothing else.
 * `registry` tokens need only their symbol (§4.1); `otherTokens` need their address and decimals in the request.
 */
export const manifestSchema = z.strictObject({
  schema: z.literal(MANIFEST_SCHEMA),
  chainId: z.literal(LIMITS.chainId),
  rpcUrl: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }),
  feeWallet: address,
  settlement: z.strictObject({ address, abi: z.array(z.record(z.string(), z.unknown())) }),
  permit2: address,
  multicall3: address,
  weth: address,
  registry: z.array(token),
  otherTokens: z.array(token.extend({ behaviour: z.string() })),
  venues: z.array(venue).length(VENUE_IDS.length),
  /** Funded accounts for driving the sandbox. The keys are worthless anywhere else. */
  accounts: z.array(z.strictObject({ name: z.string(), address, privateKey: hex32 })),
})

export type Manifest = z.output<typeof manifestSchema>
export type ManifestToken = Manifest['registry'][number]
export type ManifestVenue = Manifest['venues'][number]
export type VenueOf<Id extends ManifestVenue['id']> = Extract<ManifestVenue, { id: Id }>
