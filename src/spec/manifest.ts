import { z } from 'zod'
import { ADDRESS_PATTERN, LIMITS } from './limits.ts'
import { VENUE_IDS } from './venues.ts'

/** The version of the manifest's format; readers refuse any other. */
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
  symbol: z.string().describe('The symbol of the token.'),
  name: z.string().describe('The name of the token.'),
  address: address.describe('The contract; the zero address is the native coin.'),
  decimals: z.int().min(LIMITS.decimals.min).max(LIMITS.decimals.max).describe('The decimals of the token.'),
  feed: address
    .nullable()
    .describe('The price feed, which returns USD for one whole token; null: it has no price.'),
})

/** The user's approval of an ERC-20 for the venue's transaction. `permit2`: `spender` is the one that the permit names. */
const approval = z.strictObject({
  kind: z
    .enum(['erc20', 'permit2'])
    .describe('`erc20`: the user approves the spender. `permit2`: the user signs a permit that names it.'),
  spender: address.describe('The account that takes the input.'),
})

const common = {
  label: z.string().describe('The name of the venue for a reader.'),
  address: address.describe('The contract that quotes, swaps, and has the fault switch.'),
  abi: z.array(z.record(z.string(), z.unknown())).describe('The ABI of `address`.'),
  approval: approval.describe('The way in which the user approves an ERC-20 input.'),
  target: address.describe(
    "`tx.to` of this venue's transactions: the settlement contract, or the venue itself.",
  ),
}
const pair = z.strictObject({
  tokens: z.tuple([address, address]).describe('The two tokens, as addresses.'),
  pool: address.optional().describe('The pool of the pair; absent: the venue itself.'),
})

const feeTiers = z
  .array(
    z.strictObject({
      fee: z.int().describe('The fee, in hundredths of a basis point.'),
      tickSpacing: z.int().describe('The tick spacing.'),
    }),
  )
  .describe('The fee tiers to try.')

const venue = z.discriminatedUnion('id', [
  z.strictObject({
    id: z.literal(VENUE_IDS[0]),
    kind: z.literal('constant-product'),
    fee: z.literal('inside'),
    ...common,
    factory: address.describe('The factory of the pools.'),
    initCodeHash: hex32.describe('The hash of the code of a pool, from which its address follows.'),
    pairs: z.array(pair).describe('The pairs that the venue trades.'),
  }),
  z.strictObject({
    id: z.literal(VENUE_IDS[1]),
    kind: z.literal('concentrated'),
    fee: z.literal('inside'),
    ...common,
    factory: address.describe('The factory of the pools.'),
    feeTiers,
    pools: z
      .array(
        z.strictObject({
          tokens: z.tuple([address, address]).describe('The two tokens, as addresses.'),
          fee: z.int().describe('The fee, in hundredths of a basis point.'),
          pool: address.describe('The address of the pool.'),
        }),
      )
      .describe('The pools of the venue.'),
  }),
  z.strictObject({
    id: z.literal(VENUE_IDS[2]),
    kind: z.literal('order-book'),
    fee: z.literal('transfer'),
    ...common,
    pairs: z.array(pair).describe('The pairs that the venue trades.'),
  }),
  z.strictObject({
    id: z.literal(VENUE_IDS[3]),
    kind: z.literal('stable-swap'),
    fee: z.literal('transfer'),
    ...common,
    pairs: z.array(pair).describe('The pairs that the venue trades.'),
  }),
  z.strictObject({
    id: z.literal(VENUE_IDS[4]),
    kind: z.literal('singleton'),
    fee: z.literal('inside'),
    ...common,
    poolManager: address.describe('The singleton that holds all pools.'),
    poolKeys: z
      .array(
        z.strictObject({
          currency0: address.describe(
            'The currency with the lower address; the zero address is the native coin.',
          ),
          currency1: address.describe('The other currency.'),
          fee: z.int().describe('The fee, in hundredths of a basis point.'),
          tickSpacing: z.int().describe('The tick spacing.'),
          hooks: address.describe('The hooks contract; the zero address: none.'),
        }),
      )
      .describe('The keys of the pools.'),
    feeTiers,
  }),
  z.strictObject({
    id: z.literal(VENUE_IDS[5]),
    kind: z.literal('oracle-maker'),
    fee: z.literal('inside'),
    ...common,
    pairs: z.array(pair).describe('The pairs that the venue trades.'),
  }),
])

/**
 * The manifest of a sandbox: everything that an implementation needs to serve it, and nothing else. `registry` tokens need only
 * their symbol (§4.1); `otherTokens` need their address and decimals in the request.
 */
export const manifestSchema = z.strictObject({
  schema: z.literal(MANIFEST_SCHEMA),
  chainId: z.literal(LIMITS.chainId),
  rpcUrl: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .describe('The JSON-RPC endpoint of the chain.'),
  feeWallet: address.describe('The fee wallet of the service, to which `feeTransfer` pays.'),
  settlement: z
    .strictObject({
      address: address.describe('Its address.'),
      abi: z.array(z.record(z.string(), z.unknown())).describe('Its ABI.'),
    })
    .describe('The settlement contract.'),
  permit2: address.describe('Permit2.'),
  multicall3: address.describe('Multicall3.'),
  weth: address.describe('The wrapped native coin.'),
  registry: z.array(token).describe('Tokens that need only their symbol (§4.1).'),
  otherTokens: z
    .array(
      token.extend({
        behaviour: z.string().describe('The peculiarity of the token, such as a fee on transfer.'),
      }),
    )
    .describe('Tokens that need address and decimals in a request.'),
  venues: z.array(venue).length(VENUE_IDS.length).describe('The six venues, in the order of their ids.'),
  accounts: z
    .array(
      z.strictObject({
        name: z.string().describe('The name of the account in scenarios.'),
        address: address.describe('Its address.'),
        privateKey: hex32.describe('Its private key.'),
      }),
    )
    .describe('Funded accounts for driving the sandbox. The keys are worthless anywhere else.'),
})

export type Manifest = z.output<typeof manifestSchema>
export type ManifestToken = Manifest['registry'][number]
export type ManifestVenue = Manifest['venues'][number]
export type VenueOf<Id extends ManifestVenue['id']> = Extract<ManifestVenue, { id: Id }>
