import { z } from 'zod'
import { entry, evmHash, position, text } from './schemaParts.ts'

/** The world at one moment of a report; what the chain said of a mined transaction stands in the blocks. */
const moment = z.strictObject({
  head: evmHash,
  key: z.enum(['active', 'legacy', 'revoked', 'invalid']),
  budget: z.enum(['left', 'spent', 'unknown']),
  /** Every transaction sent so far. A `mined` one lies in a block on the way from `head` to the base. */
  transactions: z.array(z.strictObject({ hash: evmHash, state: z.enum(['unknown', 'pending', 'mined']) })),
})

/** One report of a transaction, as the judge of confirm takes it. */
export const reportEntry = entry('report', {
  /** The request that made it. */
  http: position,
  /** Its answer was lost on the way: it may have been recorded all the same. */
  lost: z.boolean(),
  /** Whether line or store failed within it. */
  verification: z.enum(['available', 'unavailable']),
  exercises: z.array(text),
  /** Two, when the chain or the keys changed within it: an answer right for either is right. */
  moments: z.array(moment).min(1),
})

/** How the script ended: as expected (`as-told`), with an unexpected response, or because a step could not be run. */
export const outcomeEntry = entry('outcome', {
  ended: z.enum(['as-told', 'unexpected', 'impossible']),
  /** The step that ended it early. */
  path: text.nullable(),
  expected: text.nullable(),
  seen: text.nullable(),
  /** Planned faults that never struck. */
  unmetFaults: position,
})

const verdict = z.strictObject({
  requirement: text,
  outcome: z.enum(['pass', 'fail', 'observed']),
  expected: text.optional(),
  seen: text.optional(),
  note: text.optional(),
})

/** What the judges said: of one request (`http`), or of all reports together (null). */
export const verdictsEntry = entry('verdicts', { http: position.nullable(), verdicts: z.array(verdict) })

export type RecordedVerdict = z.output<typeof verdict>
export type RecordedMoment = z.output<typeof moment>
