import { z } from 'zod'
import { faultKinds } from '../faults/faults.ts'
import { buildName, count, step, transactionName, venueId } from './schemaParts.ts'

/** Steps that move the chain, its venues and the time. */
export const chainSteps = [
  step('drop', 'Removes a pending transaction from the mempool.', { tx: transactionName }),
  step('mine', 'Mines blocks.', { blocks: count.describe('How many.') }),
  step('mine-at-deadline', "Mines one block at the end of a build's attribution window.", {
    build: buildName,
    offsetS: z.int().describe('Seconds after the last whole second of the window; negative: before it.'),
  }),
  step('wait', 'Lets time pass without a block.', {
    seconds: z.number().positive().max(100_000).multipleOf(0.001).describe('Seconds, to the millisecond.'),
  }),
  step('reorg', 'Replaces the last blocks with new ones.', {
    depth: count.describe('How many blocks are orphaned.'),
    blocks: count.optional().describe('How many blocks replace them. Default: as many.'),
    keep: z
      .array(
        z.strictObject({
          tx: transactionName,
          block: z.int().min(0).describe('The index of the new block, from 0.'),
        }),
      )
      .default([])
      .describe(
        'Transactions that are mined again, and where. All others are gone; `resend` sends one of them again.',
      ),
  }),
  step('rollback', 'Removes the last blocks, so that the head moves backwards.', {
    depth: count.describe('How many blocks are removed.'),
  }),
  step(
    'look',
    'Checks the state of a transaction on the chain, so that the scenario is sure to exercise what it means to.',
    {
      tx: transactionName,
      state: z.enum(['unknown', 'pending', 'succeeded', 'reverted']).describe('The state it must have.'),
    },
  ),
  step('fault', 'Injects a fault into a venue, in a block of its own.', {
    venue: venueId.describe('The venue whose pools or faults change.'),
    kind: z
      .enum(['none', ...faultKinds('venue', 'scenario step')])
      .describe('What the venue does wrong. none: ends its fault.'),
    value: z
      .int()
      .min(0)
      .default(0)
      .describe(
        'For move-on-swap: how much less a swap pays, in basis points. For nonsense-on-quote: the answer, 0 nothing, 1 a single byte, 2 the largest uint256, 3 zero.',
      ),
  }),
  step('move-pool', "Moves a venue's price, in a block of its own.", {
    venue: venueId.describe('The venue whose pools or faults change.'),
    from: z.string().describe('The symbol of the token that is sold.'),
    to: z.string().describe('The symbol of the token that is bought.'),
    against: z.enum(['seller', 'buyer']).describe('For whom the price gets worse.'),
    size: z.enum(['small', 'large']).describe('small: by 5 basis points; large: by 500.'),
  }),
] as const
