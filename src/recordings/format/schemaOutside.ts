import { z } from 'zod'
import { text } from './schemaParts.ts'

/** The parts that a recording from outside may lack. A recording of a service in this process has all of them. */
const WORDS = {
  store: 'what its store held',
  timers: 'its timers',
  ids: 'how it made its ids',
  causes: 'which request caused a round trip',
  'round-trips': 'its round trips to the chain',
  chain: 'the chain',
  'credits-before': 'what was credited before the case',
  beginning: 'what came before the last fresh start of the case',
  client: 'what its client read of the chain, and what it printed',
} as const

/** A part of a run that its recording does not have. */
export type Absence = keyof typeof WORDS

export const ABSENCES = Object.keys(WORDS) as readonly Absence[]

/** The parts that no service exposes outside its process. */
export const NEVER_SEEN: readonly Absence[] = ['store', 'timers', 'ids', 'causes', 'credits-before']

/** Returns the missing parts of a recording, in words. */
export function describeAbsences(absent: readonly Absence[]): readonly string[] {
  return absent.map((each) => WORDS[each])
}

/** Facts about a service that was reached only from outside, and the parts that its recording lacks. */
export const outsideFacts = z.strictObject({
  profile: z.enum(['http', 'sandbox']).describe('The profile of the run.'),
  capabilities: z.array(text).describe('Its declared capabilities; others are not judged.'),
  strict: z.boolean().describe('True if a broken convention counts as a failure.'),
  absent: z.array(z.enum(ABSENCES)).describe('The parts that the recording lacks.'),
  partnerReport: z
    .strictObject({
      path: text.describe('Its path.'),
      fields: z.record(z.string(), text).describe('The name of each figure, with a dot for each level.'),
    })
    .optional()
    .describe('The address and field names of its partner report; absent: it declares none.'),
  nonce: text
    .optional()
    .describe('A text from another party, which proves that the recording was not made before.'),
})

/** The result of the case, as the run reported it. */
export const caseResult = z.strictObject({
  status: z
    .enum(['pass', 'fail', 'observed', 'not-applicable', 'skipped', 'inconclusive'])
    .describe('The status of the case.'),
  requirement: text.nullable().describe('The requirement that failed; null: none did, or no single one.'),
})
