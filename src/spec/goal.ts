import { z } from 'zod'
import { ADDRESS_PATTERN, LIMITS } from './limits.ts'
import { VENUE_IDS } from './venues.ts'

export const GOAL_SCHEMA = 'plumbline-goal/1'

const address = z.string().regex(ADDRESS_PATTERN)
/** A positive amount in human units, as decimal text. */
const amount = z.string().regex(/^(?:0|[1-9]\d*)(?:\.\d+)?$/)

/** A token of a goal. If the service's registry lacks its symbol, requests must include its address and decimals (§4.1). */
const goalToken = z.strictObject({
  symbol: z.string().describe('The symbol of the token.'),
  address: z.union([address, z.literal('native')]).describe('The contract, or `native`.'),
  decimals: z.int().min(LIMITS.decimals.min).max(LIMITS.decimals.max).describe('The decimals of the token.'),
  inRegistry: z
    .boolean()
    .describe(
      'True if the registry of the service knows the symbol. If false, send address and decimals too (§4.1).',
    ),
})

/** The task of a client under test: the file that `SWAP_GOAL` names. */
export const goalSchema = z.strictObject({
  schema: z.literal(GOAL_SCHEMA),
  from: goalToken.describe('The token that is sold.'),
  to: goalToken.describe('The token that is bought.'),
  amount: amount.describe('The amount of `from` to sell.'),
  slippageBps: z
    .int()
    .min(LIMITS.slippageBps.min)
    .max(LIMITS.slippageBps.max)
    .optional()
    .describe('Absent: the default of the service.'),
  partnerFeeBps: z
    .int()
    .min(LIMITS.partnerFeeBps.min)
    .max(LIMITS.partnerFeeBps.max)
    .optional()
    .describe('The partner fee in basis points; absent: none.'),
  partnerFeeRecipient: address
    .optional()
    .describe('The recipient of the partner fee; absent if there is none.'),
  preferEngine: z.enum(VENUE_IDS).optional().describe('The only venue to use. Absent: the best one.'),
  minimumReceived: amount
    .optional()
    .describe(
      'The least accepted amount of `to`: do not send a build whose `route.minimumReceived` is below it.',
    ),
  timeoutS: z.int().positive().describe('Time limit for all starts of the client together, in seconds.'),
})

export type Goal = z.infer<typeof goalSchema>
export type GoalToken = Goal['from']
