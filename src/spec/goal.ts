import { z } from 'zod'
import { ADDRESS_PATTERN, LIMITS } from './limits.ts'
import { VENUE_IDS } from './venues.ts'

/** The version of the format of goals. */
export const GOAL_SCHEMA = 'plumbline-goal/1'

const address = z.string().regex(ADDRESS_PATTERN)
/** A positive amount in human units, as decimal text. */
const amount = z.string().regex(/^(?:0|[1-9]\d*)(?:\.\d+)?$/)

/** A token of a goal. Whether the registry of the service knows its symbol decides what a request must say of it (§4.1). */
const goalToken = z.strictObject({
  symbol: z.string(),
  /** The contract, or `native`. */
  address: z.union([address, z.literal('native')]),
  decimals: z.int().min(LIMITS.decimals.min).max(LIMITS.decimals.max),
  inRegistry: z.boolean(),
})

/** What a client under test is to do: the file that `SWAP_GOAL` names. */
export const goalSchema = z.strictObject({
  schema: z.literal(GOAL_SCHEMA),
  from: goalToken,
  to: goalToken,
  /** How much of `from` is to be sold. */
  amount,
  /** Absent: the default of the service. */
  slippageBps: z.int().min(LIMITS.slippageBps.min).max(LIMITS.slippageBps.max).optional(),
  partnerFeeBps: z.int().min(LIMITS.partnerFeeBps.min).max(LIMITS.partnerFeeBps.max).optional(),
  partnerFeeRecipient: address.optional(),
  /** The only venue that is to be used. Absent: the best one. */
  preferEngine: z.enum(VENUE_IDS).optional(),
  /** The least of `to` that is accepted: a build whose `route.minimumReceived` is below is not to be sent. */
  minimumReceived: amount.optional(),
  /** How long it may take, all starts of the client together, in seconds. */
  timeoutS: z.int().positive(),
})

export type Goal = z.infer<typeof goalSchema>
export type GoalToken = Goal['from']
