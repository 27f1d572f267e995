import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { describePrograms } from '../recordings/record/environment.ts'
import { type StepInput, stepSchema } from '../simulation/steps.ts'
import type { World } from '../simulation/world.ts'
import { UsageError } from '../spec/errors.ts'
import { isRequirementId, type RequirementId } from '../spec/requirements/index.ts'
import { PromiseBrokenError } from '../targets/blame.ts'
import { demand } from './demand.ts'
import { type RandomRunProblem, runScript } from './randomRun.ts'
import type { Check } from './suite.ts'
import { writeWhole } from './writeWhole.ts'

const KEPT_SCHEMA = 'plumbline-kept-failure/1'

const keptFailureSchema = z.strictObject({
  schema: z.literal(KEPT_SCHEMA),
  /** Decides the identifiers that the service gives out. */
  seed: z.int().min(0),
  requirement: z.string().refine(isRequirementId, 'no such requirement'),
  /** What the service did when the failure was found. */
  problem: z.string(),
  steps: z.array(stepSchema),
  /** Which programs ran when it was found. */
  versions: z.strictObject({
    plumbline: z.string(),
    node: z.string(),
    serviceSha256: z.string(),
    anvilSha256: z.string(),
  }),
})

/** A script that a service failed once, and must never fail again. */
export interface KeptFailure {
  /** From the name of its file: `kept.<requirement>.seed-<seed>`. */
  readonly id: string
  readonly seed: number
  readonly requirement: RequirementId
  readonly problem: string
  readonly steps: readonly StepInput[]
}

/** A file among the kept failures is none. */
class KeptFailureError extends UsageError {
  override readonly name = 'KeptFailureError'
  readonly file: string
  constructor(file: string, problem: string, options?: { cause?: unknown }) {
    super(
      `${file} holds no kept failure: ${problem}`,
      'Delete it, or let `plumbline simulate` write it anew from the seed in its name.',
      options,
    )
    this.file = file
  }
}

const ENDING = '.json'

/**
 * The kept failures of a folder, in the order of their names; none when there is no such folder.
 *
 * @throws {KeptFailureError} a file cannot be read as one.
 */
export function readKeptFailures(directory: string): readonly KeptFailure[] {
  return filesOf(directory).map((name) => readKept(join(directory, name), name))
}

function filesOf(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
      .filter((name) => name.endsWith(ENDING))
      .sort()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

function readKept(file: string, name: string): KeptFailure {
  let json: unknown
  try {
    json = JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new KeptFailureError(file, 'it cannot be read as JSON', { cause })
  }
  const parsed = keptFailureSchema.safeParse(json)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw new KeptFailureError(file, `${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`)
  }
  const { seed, requirement, problem, steps } = parsed.data
  const id = `kept.${name.slice(0, -ENDING.length)}`
  return { id, seed, requirement: requirement as RequirementId, problem, steps }
}

/**
 * Writes a failure down, as one file whose name follows from requirement and seed: found again, it replaces itself.
 *
 * @returns the file
 */
export function writeKeptFailure(
  directory: string,
  failure: {
    readonly seed: number
    readonly steps: readonly StepInput[]
    readonly problem: RandomRunProblem
  },
): string {
  const requirement = requirementOf(failure.problem)
  const { plumbline, node, serviceSha256, anvil } = describePrograms()
  const kept: z.input<typeof keptFailureSchema> = {
    schema: KEPT_SCHEMA,
    seed: failure.seed,
    requirement,
    problem: failure.problem.message,
    steps: [...failure.steps],
    versions: { plumbline, node, serviceSha256, anvilSha256: anvil.sha256 },
  }
  const file = join(directory, `${requirement}.seed-${failure.seed}${ENDING}`)
  mkdirSync(directory, { recursive: true })
  writeWhole(file, `${JSON.stringify(kept, null, 2)}\n`)
  return file
}

/** The promise behind an expectation that is not met, where no judge named one. */
function requirementOf({ requirement, step }: RandomRunProblem): RequirementId {
  if (requirement !== null) return requirement
  switch (step?.op) {
    case 'quote':
      return 'quote.response.shape'
    case 'build':
      return 'build.response.route'
    case 'report':
      return 'partner-report.figures'
    default:
      return 'confirm.recorded'
  }
}

/** The kept failure as a check: it passes when the service does what the script asks, and every report is judged well. */
export function keptCheck(kept: KeptFailure): Check<World> {
  const { id, seed, requirement, steps } = kept
  return {
    id,
    title: `A failure found before does not come back: ${kept.problem}`,
    requirements: [requirement],
    run: async (world) => {
      const { log, verdicts, problem } = await runScript(world, seed, steps)
      if (problem?.status === 'fail') {
        const broken = problem.requirement ?? requirement
        throw new PromiseBrokenError(broken, `the kept script ${id} to pass`, problem.message)
      }
      if (problem !== null) throw new KeptFailureError(id, `it cannot be run, ${problem.message}`)
      demand(verdicts)
      return { exercised: log.reduce((sum, { answers }) => sum + answers.length, 0) }
    },
  }
}
