import { z } from 'zod'
import { faultKinds } from '../faults/faults.ts'
import { buildName, count, step, transactionName, venueId } from './schemaParts.ts'

/** Steps that move the chain, its venues and the time. */
export const chainSteps = [
  step('drop', 'Removes a pending transaction from the mempool.', { tx: transactionName }),
  step('mine', 'Mines blocks.', { blocks: count.describe('The number of blocks.') }),
  step('mine-at-deadline', "Mines one block at the end of a build's attribution window.", {
    build: buildName,
    offsetS: z.int().describe('Seconds after the last whole second of the window; negative: before it.'),
  }),
  step('wait', 'Lets time pass without a block.', {
    seconds: z.number().positive().max(100_000).multipleOf(0.001).describe('Seconds, to the millisecond.'),
  }),
  step('reorg', 'Replaces the last blocks with new ones.', {
    depth: count.describe('The number of blocks to orphan.'),
    blocks: count.optional().describe('The number of blocks that replace them. Default: the same number.'),
    keep: z
      .array(
        z.strictObject({
          tx: transactionName,
          block: z.int().min(0).describe('The index of the new block, from 0.'),
        }),
      )
      .default([])
      .describe(
        'Transactions that are mined again, with their blocks. All others are gone; `resend` sends one of them again.',
      ),
  }),
  step('rollback', 'Removes the last blocks, so that the head moves backwards.', {
    depth: count.describe('The number of blocks to remove.'),
  }),
  step(
    'look',
    'Checks the state of a transaction on the chain, so that the scenario certainly exercises its case.',
    {
      tx: transactionName,
      state: z.enum(['unknown', 'pending', 'succeeded', 'reverted']).describe('The state it must have.'),
    },
  ),
  step('fault', 'Injects a fault into a venue, in a separate block.', {
    venue: venueId.describe('The venue whose pools or faults change.'),
    kind: z
      .enum(['none', ...faultKinds('venue', 'scenario step')])
      .describe('The fault of the venue. none: ends it.'),
    value: z
      .int()
      .min(0)
      .default(0)
      .describe(
        'For move-on-swap: the shortfall of a swap, in basis points. For nonsense-on-quote: the result, 0 no data, 1 a single byte, 2 the largest uint256, 3 zero.',
      ),
  }),
  step('move-pool', "Moves a venue's price, in a separate block.", {
    venue: venueId.describe('The venue whose pools or faults change.'),
    from: z.string().describe('The symbol of the token that is sold.'),
    to: z.string().describe('The symbol of the token that is bought.'),
    against: z.enum(['seller', 'buyer']).describe('The side for which the price gets worse.'),
    size: z.enum(['small', 'large']).describe('small: by 5 basis points; large: by 500.'),
  }),
] as const
