import { z } from 'zod'
import { describeFaults, faultKinds } from '../faults/faults.ts'
import { count, name, step } from './schemaParts.ts'

/** Steps that inject faults into the service's line to its chain, its store, its clock and its process. */
export const faultSteps = [
  step(
    'line-fault',
    "Injects a fault into the service's next round trips to the chain. Needs in-process access.",
    {
      kind: z.enum(faultKinds('line', 'scenario step')).describe(describeFaults('line', 'scenario step')),
      delayMs: z.int().min(1).max(120_000).default(1_000).describe('For delay: milliseconds.'),
      lagBlocks: z.int().min(1).max(32).default(1).describe('For lag: the number of blocks.'),
      skip: z.int().min(0).default(0).describe('The number of round trips that succeed first.'),
      trips: count.describe('The number of round trips that have the fault.'),
    },
  ),
  step(
    'store-fault',
    "Injects a fault into the next calls of the service's store. Needs in-process access.",
    {
      kind: z.enum(faultKinds('store', 'scenario step')).describe(describeFaults('store', 'scenario step')),
      method: z.string().optional().describe('Only calls of this method. Default: all calls.'),
      skip: z.int().min(0).default(0).describe('The number of calls that succeed first.'),
      calls: count.describe('The number of calls that have the fault.'),
    },
  ),
  step(
    'crash-at',
    'Crashes the service at one of its calls within the next request, and starts it again on the same store. The request gets no response. Needs in-process access.',
    {
      call: z.int().min(0).describe('The call to chain or store within the next request, from 0.'),
      when: z.enum(['before', 'after']).describe('Before the call is made, or after it was carried out.'),
    },
  ),
  step('skew', "Sets the service's clock ahead of the chain's, or behind it. Needs in-process access.", {
    aheadMs: z
      .int()
      .min(-600_000)
      .max(600_000)
      .describe('Milliseconds ahead of the chain; negative: behind.'),
  }),
  step('issue-key', 'Issues an API key. Needs in-process access.', {
    as: name.describe('The name of the key in later steps.'),
    partner: name.describe('The partner that owns the key, such as partner-one.'),
    kind: z
      .enum(['individual', 'legacy'])
      .describe('An individual key gets attribution; the legacy shared key does not.'),
  }),
  step('revoke-key', 'Revokes an API key. Needs in-process access.', {
    key: name.describe('The key, by its name.'),
  }),
  step('restart', 'Restarts the service on the same store. Needs in-process access.', {}),
  step('heal', 'Ends every fault of venues, line and store, and the skew of the clocks.', {}),
] as const
