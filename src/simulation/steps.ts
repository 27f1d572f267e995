import { z } from 'zod'
import { isRequirementId } from '../spec/requirements/index.ts'
import { VENUE_IDS } from '../spec/venues.ts'
import { VENUE_FAULT_KINDS } from '../venues-mock/faults.ts'

/** Names that steps give to what they make, for later steps to refer to. */
const name = z
  .string()
  .regex(/^[a-z][A-Za-z0-9-]{0,31}$/, 'a name starts with a small letter, then letters, digits, -')
const count = z.int().min(1).max(100_000)
const venueId = z.enum(VENUE_IDS)
const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()])

/**
 * The expectations that a story attaches to an answer: its status, members that its JSON body must hold (dots lead into
 * objects: `attribution.confirmations`), and headers that it must carry.
 */
const expectation = z.strictObject({
  status: z.int(),
  body: z.record(z.string(), scalar).optional(),
  headers: z.array(z.string()).optional(),
})

/**
 * Parameters of a quote or a build. Address and decimals of the world's tokens outside the registry are added where a
 * request names such a token without them: they are the world's to know.
 */
const request = z.record(z.string(), z.union([z.string(), z.number()]))

/**
 * How a transaction that is sent differs from what the build says. `minimum`: promises the user one base unit less;
 * `recipient`: pays somebody else, the swap's output or the partner's fee, whichever the calldata names; `value`: one
 * wei more; `target`: the same calldata to an account without code; `sender`: somebody else sends it; `batched`:
 * Multicall3 makes the call, inside an outer transaction.
 */
const change = z.enum(['none', 'minimum', 'recipient', 'value', 'target', 'sender', 'batched'])

/**
 * One step of a run: plain JSON with literal values, run by one interpreter. Names refer to what earlier steps made.
 * Times are seconds of the chain, so that a script reads like its story.
 */
export const stepSchema = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('quote'), key: name, query: request, expect: expectation.optional() }),
  /** Builds for the account `sender`; the answer is known as `as`. */
  z.strictObject({
    op: z.literal('build'),
    as: name,
    key: name,
    sender: name,
    body: request,
    expect: expectation.optional(),
  }),
  /**
   * Approves or signs as the build asks, in transactions of their own: `<build>-approval`, and where a permit is asked
   * for, `<build>-permit` after it.
   */
  z.strictObject({ op: z.literal('approve'), build: name }),
  /** Sends the build's feeTransfer, known as `<build>-fee`. */
  z.strictObject({ op: z.literal('pay-fee'), build: name }),
  /** Sends the swap to the pool of pending transactions. */
  z.strictObject({ op: z.literal('send'), build: name, as: name, change: change.default('none') }),
  /** Sends another transaction of the same nonce with fees a tenth higher. */
  z.strictObject({
    op: z.literal('replace'),
    tx: name,
    as: name,
    change: change.exclude(['sender']).default('none'),
  }),
  /** Replaces by an empty transfer to oneself. */
  z.strictObject({ op: z.literal('cancel'), tx: name, as: name }),
  /** Takes a pending transaction out of the pool. */
  z.strictObject({ op: z.literal('drop'), tx: name }),
  z.strictObject({ op: z.literal('mine'), blocks: count }),
  /** Mines one block at the last whole second of a build's window, `offsetS` later. */
  z.strictObject({ op: z.literal('mine-at-deadline'), build: name, offsetS: z.int() }),
  /** Lets time pass without a block. */
  z.strictObject({ op: z.literal('wait'), seconds: z.number().positive().max(100_000).multipleOf(0.001) }),
  /**
   * Replaces the last `depth` blocks by as many new ones, or by `blocks`. Transactions named in `keep` are mined again in
   * the new block of that index; all others vanish, and can be sent again with `resend`.
   */
  z.strictObject({
    op: z.literal('reorg'),
    depth: count,
    blocks: count.optional(),
    keep: z.array(z.strictObject({ tx: name, block: z.int().min(0) })).default([]),
  }),
  /** Takes the last `depth` blocks away; the head moves backwards. */
  z.strictObject({ op: z.literal('rollback'), depth: count }),
  /** Sends the same signed bytes again. */
  z.strictObject({ op: z.literal('resend'), tx: name }),
  /** Demands what the chain says of a transaction, so that a story knows that it tells what it means to tell. */
  z.strictObject({
    op: z.literal('look'),
    tx: name,
    state: z.enum(['unknown', 'pending', 'succeeded', 'reverted']),
  }),
  /** Reports a transaction. `exercises`: further clauses that the story stages with this very report. */
  z.strictObject({
    op: z.literal('confirm'),
    key: name,
    build: name,
    tx: name,
    exercises: z.array(z.string().refine(isRequirementId, 'no such requirement')).optional(),
    expect: expectation.optional(),
  }),
  /**
   * Sends several reports at once; `expectStatuses` in any order. `order` decides between calls of the service to its
   * chain and store that could come next: the n-th number picks one of those that wait, modulo how many wait. Without it
   * each takes its turn; where it ends, the one that waits longest comes next.
   */
  z.strictObject({
    op: z.literal('race'),
    reports: z.array(z.strictObject({ key: name, build: name, tx: name })).min(2),
    expectStatuses: z.array(z.int()).optional(),
    order: z.array(z.int().min(0).max(99)).optional(),
  }),
  /** Reports a build that does not exist until the partner's budget is spent: at most `atMost` times. */
  z.strictObject({ op: z.literal('spend-budget'), key: name, atMost: count }),
  /** Asks for the figures of a key. */
  z.strictObject({ op: z.literal('report'), key: name, expect: expectation.optional() }),
  /** Switches a venue's fault, in a block of its own. */
  z.strictObject({
    op: z.literal('fault'),
    venue: venueId,
    kind: z.enum(VENUE_FAULT_KINDS),
    value: z.int().min(0).default(0),
  }),
  /**
   * Moves a venue's price against those who sell `from` for `to`, or those who buy, in a block of its own: by 5 bps, or
   * by 500.
   */
  z.strictObject({
    op: z.literal('move-pool'),
    venue: venueId,
    from: z.string(),
    to: z.string(),
    against: z.enum(['seller', 'buyer']),
    size: z.enum(['small', 'large']),
  }),
  /**
   * The next round trips of the service to the chain go wrong in this way, after `skip` that work. `delay`: the answer
   * comes after `delayMs`, or not at all when nobody waits that long; `lag`: one of several nodes answers that is
   * `lagBlocks` behind; `abandoned`: one that still holds the branch which the last reorganisation left; `refused`: an
   * error in the place of every result; `repeated`: the answer before comes again; `shuffled`, `doubled`: the batch is
   * out of order, or holds a reply twice.
   */
  z.strictObject({
    op: z.literal('line-fault'),
    kind: z.enum([
      'down',
      'answer-lost',
      'rubbish',
      'delay',
      'rate-limited',
      'refused',
      'lag',
      'abandoned',
      'repeated',
      'shuffled',
      'doubled',
    ]),
    delayMs: z.int().min(1).max(120_000).default(1_000),
    lagBlocks: z.int().min(1).max(32).default(1),
    skip: z.int().min(0).default(0),
    trips: count,
  }),
  /**
   * The next calls of the store fail, after `skip` that work, or the next calls of one `method`; `answer-lost`: the work
   * is done, and nobody hears of it.
   */
  z.strictObject({
    op: z.literal('store-fault'),
    kind: z.enum(['down', 'answer-lost']),
    method: z.string().optional(),
    skip: z.int().min(0).default(0),
    calls: count,
  }),
  /**
   * Ends the service at its call number `call` to chain or store within the next request, before that call is made or
   * after it was carried out, and starts it again on the same store. The request is never answered.
   */
  z.strictObject({
    op: z.literal('crash-at'),
    call: z.int().min(0),
    when: z.enum(['before', 'after']),
  }),
  /** From now on the clock of the service is so far ahead of the chain's, or behind it. */
  z.strictObject({ op: z.literal('skew'), aheadMs: z.int().min(-600_000).max(600_000) }),
  /**
   * While the service waits for its round trip number `trip` of the next request, these steps are run; `orAfterwards`:
   * right after that request, if it makes fewer round trips.
   */
  z.strictObject({
    op: z.literal('meanwhile'),
    trip: z.int().min(0),
    when: z.enum(['before', 'after']),
    orAfterwards: z.boolean().default(false),
    get steps() {
      return z.array(stepSchema)
    },
  }),
  z.strictObject({
    op: z.literal('issue-key'),
    as: name,
    partner: name,
    kind: z.enum(['individual', 'legacy']),
  }),
  z.strictObject({ op: z.literal('revoke-key'), key: name }),
  /** Ends the service and starts it again on the same store. */
  z.strictObject({ op: z.literal('restart') }),
  /** Ends every fault of venues, line and store, and the skew of the clocks. */
  z.strictObject({ op: z.literal('heal') }),
])

export type Step = z.output<typeof stepSchema>
export type StepOf<Op extends Step['op']> = Extract<Step, { op: Op }>
/** A script as it is written down, defaults left out. */
export type StepInput = z.input<typeof stepSchema>
export type Expectation = z.output<typeof expectation>
export type Change = z.output<typeof change>
