import { z } from 'zod'

/** The version of the kill matrix's format. */
export const PROOF_SCHEMA = 'plumbline-proof/2'

const alarm = z.strictObject({
  case: z.string(),
  requirements: z.array(z.string()),
  message: z.string(),
})
const inCase = z.strictObject({ case: z.string(), requirement: z.string() })

const defect = z.strictObject({
  id: z.string(),
  title: z.string(),
  /** The first case that failed for the requirement; null: the defect survived. */
  killedBy: alarm.nullable(),
  alsoKilledBy: z.array(z.string()),
  /** Failures for other requirements. */
  collateral: z.array(alarm),
  inconclusive: z.array(z.strictObject({ case: z.string(), why: z.string() })),
  casesRun: z.int(),
})

const variant = z.strictObject({
  id: z.string(),
  title: z.string(),
  differsIn: z.array(z.string()),
  casesRun: z.int(),
  /** Whether a response differed from the reference's, or need not. */
  seen: z.boolean(),
  differences: z.array(inCase),
  objections: z.array(
    z.strictObject({
      case: z.string(),
      status: z.enum(['fail', 'inconclusive']),
      requirement: z.string().nullable(),
      message: z.string(),
    }),
  ),
})

/** The kill matrix as a file: what `plumbline prove` writes, and what a report shows of it. */
export const proofSchema = z.strictObject({
  schema: z.literal(PROOF_SCHEMA),
  seed: z.int(),
  requirements: z.array(
    z.strictObject({ id: z.string(), section: z.string(), proven: z.boolean(), defects: z.array(defect) }),
  ),
  unproven: z.array(z.string()),
  survivors: z.array(z.string()),
  /** Defects that are killed, by a case that names a clause first which does not explain them. */
  misnamed: z.array(inCase.extend({ defect: z.string(), named: z.string() })).default([]),
  /** Cases that killed a defect and do not pass on the reference. */
  unsound: z.array(z.strictObject({ case: z.string(), message: z.string() })),
  /** By case, the defects that it alone kills. */
  alone: z.record(z.string(), z.array(z.string())),
  /** Cases that could be left out, with those that ask the same; empty where only a part was run. */
  dispensable: z.array(z.strictObject({ case: z.string(), coveredBy: z.array(z.string()) })),
  /** Cases that no defect makes fail. */
  idle: z.array(z.string()),
  /** What only the cases ask that were left out. */
  unasked: z.array(inCase.extend({ request: z.string() })),
  /** Each property with the defects that it is expected to kill, and those that it killed. */
  properties: z.array(
    z.strictObject({ id: z.string(), expected: z.array(z.string()), kills: z.array(z.string()) }),
  ),
  /** Open points under which no case recorded a difference. */
  unobserved: z.array(z.string()),
  /** Cases that only record, and recorded the same for every service. */
  blind: z.array(z.string()),
  variants: z.array(variant),
  /** Drawn defects: the case that failed first, with the requirement; and in how many cases the fault shows. */
  drawn: z
    .array(
      z.strictObject({
        ...{ id: z.string(), title: z.string(), breaks: z.string() },
        killedBy: inCase.nullable(),
        shownIn: z.int(),
      }),
    )
    .default([]),
})

export type Proof = z.infer<typeof proofSchema>
