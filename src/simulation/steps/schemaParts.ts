import { z } from 'zod'
import { allRequirements } from '../../spec/requirements/index.ts'
import { VENUE_IDS } from '../../spec/venues.ts'

/** A name that a step gives to an object it creates, or by which a later step refers to it. */
export const name = z
  .string()
  .regex(
    /^[a-z][A-Za-z0-9-]{0,31}$/,
    'a name starts with a lower-case letter, followed by up to 31 letters, digits or "-"',
  )
export const count = z.int().min(1).max(100_000)
export const venueId = z.enum(VENUE_IDS)
const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()])

export const keyName = name.describe(
  'The API key to use: one, two, legacy, retiring or successor, or a key that an `issue-key` step issued.',
)
export const buildName = name.describe('The build, by the name in `as` of its `build` step.')
export const transactionName = name.describe(
  'The transaction, by the name in `as` of the step that sent it; `<build>-approval`, `<build>-permit` and `<build>-fee` name the transactions of `approve` and `pay-fee`.',
)

export const requirementId = z
  .enum(
    allRequirements().map(({ id }) => id),
    { error: 'the id of a requirement, as `plumbline list` shows them' },
  )
  .meta({ id: 'requirement', description: 'The id of a requirement: `plumbline list` shows all of them.' })

/** The response that a step expects. */
export const expectation = z
  .strictObject({
    status: z.int().min(100).max(599).describe('The HTTP status.'),
    body: z
      .record(z.string(), scalar)
      .optional()
      .describe(
        'Members of the JSON body and their values. Dots separate the path into objects and arrays: `route.alternatives.0.engine`.',
      ),
    headers: z
      .array(z.string())
      .optional()
      .describe('Headers that must be present, by their lower-case names.'),
  })
  .describe(
    'The expected response. It is checked against the reference service only: another service may respond differently where the specification leaves a choice, and is judged by the specification alone.',
  )

export const request = z
  .record(z.string(), z.union([z.string(), z.number()]))
  .describe(
    'Parameters of the request. Address and decimals of a sandbox token outside the registry are added where they are missing.',
  )

export const change = z
  .enum(['none', 'minimum', 'recipient', 'value', 'target', 'sender', 'batched'])
  .describe(
    'The difference between the transaction and the build. minimum: promises the user one base unit less. recipient: pays the output of the swap or the partner fee, whichever recipient the calldata names, to another account. value: one wei more. target: the same calldata to an account without code. sender: another account sends it. batched: Multicall3 makes the call, inside an outer transaction.',
  )

/** Returns the schema of a step from its `op` and its other members. */
export function step<Op extends string, Shape extends z.core.$ZodLooseShape>(
  op: Op,
  what: string,
  shape: Shape,
) {
  return z.strictObject({ op: z.literal(op), ...shape }).describe(what)
}
