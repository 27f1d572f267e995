import type { StepInput } from '../simulation/steps.ts'
import type { RandomRunProblem, ScriptRun } from './randomRun.ts'
import { withKnownNames } from './shrinkNames.ts'
import { simplerAt } from './shrinkSteps.ts'
import { simplerAltogether } from './shrinkWhole.ts'

export interface ShrinkOptions {
  /** How often a script may be run to find a shorter one. Default 500. */
  readonly executionsMax?: number
  readonly onExecution?: (executions: number) => void
}

/** A script as short as could be found that still fails in the same way. */
export interface ShrunkScript {
  readonly steps: readonly StepInput[]
  readonly problem: RandomRunProblem
  readonly executions: number
  /** Whether nothing simpler was left to try. */
  readonly exhausted: boolean
}

const EXECUTIONS_MAX = 500

type Op = StepInput['op']

/** Steps that decide what the chain says. */
const CHAIN_OPS: readonly Op[] = [
  'mine',
  'mine-at-deadline',
  'reorg',
  'rollback',
  'resend',
  'replace',
  'cancel',
  'drop',
]
/** Troubles that a heal ends. */
const HEALED_OPS: readonly Op[] = ['fault', 'line-fault', 'store-fault', 'crash-at', 'skew']

/**
 * Finds a short script that fails as `steps` does: with the same kind of problem, whatever the place. A script that
 * cannot be run, that fails otherwise or is inconclusive never counts as failing. Decides nothing by time: equal runs
 * give equal results.
 *
 * A script of random steps foretells answers, and a shorter one would foretell them wrongly. So the first attempt takes
 * all expectations away: where a judge condemns the run without them, every further script is judged by what the chain
 * really said. Otherwise what the expectation rests on stays: the heals, and for reports every step that moves the chain.
 *
 * @param run runs a script from the start, each time in the same world
 * @param problem how `steps` failed; its status is `fail`
 */
export async function shrinkScript(
  run: (steps: readonly StepInput[]) => Promise<ScriptRun>,
  failing: { readonly steps: readonly StepInput[]; readonly problem: RandomRunProblem },
  options: ShrinkOptions = {},
): Promise<ShrunkScript> {
  const search = new Search(run, failing, options)
  await search.dropExpectations()
  while (
    (await search.removeSteps()) ||
    (await search.simplifyAltogether()) ||
    (await search.simplifySteps())
  );
  return search.result()
}

class Search {
  readonly #run: (steps: readonly StepInput[]) => Promise<ScriptRun>
  readonly #executionsMax: number
  readonly #onExecution: (executions: number) => void
  readonly #tried = new Set<string>()
  #steps: readonly StepInput[]
  #problem: RandomRunProblem
  #executions = 0

  constructor(
    run: (steps: readonly StepInput[]) => Promise<ScriptRun>,
    { steps, problem }: { readonly steps: readonly StepInput[]; readonly problem: RandomRunProblem },
    { executionsMax = EXECUTIONS_MAX, onExecution = () => {} }: ShrinkOptions,
  ) {
    this.#run = run
    this.#executionsMax = executionsMax
    this.#onExecution = onExecution
    this.#problem = problem
    this.#steps = steps
    this.#tried.add(JSON.stringify(steps))
  }

  result(): ShrunkScript {
    const exhausted = this.#executions < this.#executionsMax
    return { steps: this.#steps, problem: this.#problem, executions: this.#executions, exhausted }
  }

  async dropExpectations(): Promise<void> {
    const steps = withoutExpectations(this.#steps)
    const problem = await this.#execute(steps)
    const judged = problem?.status === 'fail' && problem.requirement !== null
    if (judged) this.#take(steps, problem)
    await this.#try(upTo(this.#problem, this.#steps))
  }

  /** Takes away what it can, first by halves, then by ever fewer steps. */
  async removeSteps(): Promise<boolean> {
    let changed = false
    for (
      let size = Math.ceil(this.#steps.length / 2);
      size >= 1;
      size = size === 1 ? 0 : Math.ceil(size / 2)
    ) {
      for (let start = 0; start < this.#steps.length; ) {
        if (await this.#try(this.#without(start, size))) changed = true
        else start += size
      }
    }
    return changed
  }

  async simplifyAltogether(): Promise<boolean> {
    if (this.#problem.requirement === null) return false
    for (const simpler of simplerAltogether(this.#steps)) if (await this.#try(simpler)) return true
    return false
  }

  async simplifySteps(): Promise<boolean> {
    let changed = false
    for (let index = 0; index < this.#steps.length; index += 1) {
      while (await this.#simplifyAt(index)) changed = true
    }
    return changed
  }

  async #simplifyAt(index: number): Promise<boolean> {
    const step = this.#steps[index]
    if (step === undefined || this.#isPinned(step, index)) return false
    for (const simpler of simplerAt(this.#steps, index)) if (await this.#try(simpler)) return true
    return false
  }

  #without(start: number, size: number): readonly StepInput[] {
    return this.#steps.filter(
      (step, index) => index < start || index >= start + size || this.#isPinned(step, index),
    )
  }

  /** What an unjudged expectation rests on. */
  #isPinned({ op }: StepInput, index: number): boolean {
    const { requirement, step } = this.#problem
    if (requirement !== null) return false
    if (op === 'heal') return this.#steps.slice(0, index).some((each) => HEALED_OPS.includes(each.op))
    const restsOnChain = step?.op !== 'build' && step?.op !== 'quote'
    return restsOnChain && CHAIN_OPS.includes(op)
  }

  /** Runs a script, and goes on from there when it fails in the same way. */
  async #try(steps: readonly StepInput[]): Promise<boolean> {
    const candidate = withKnownNames(steps)
    const problem = await this.#execute(candidate)
    if (problem?.status !== 'fail' || problem.kind !== this.#problem.kind) return false
    this.#take(candidate, problem)
    await this.#try(upTo(problem, candidate))
    return true
  }

  #take(steps: readonly StepInput[], problem: RandomRunProblem): void {
    this.#problem = problem
    this.#steps = steps
  }

  /** Null for a script without a problem, and for one that was run before: it was not good enough then. */
  async #execute(steps: readonly StepInput[]): Promise<RandomRunProblem | null> {
    const text = JSON.stringify(steps)
    if (steps.length === 0 || this.#tried.has(text) || this.#executions >= this.#executionsMax) return null
    this.#tried.add(text)
    this.#executions += 1
    this.#onExecution(this.#executions)
    return (await this.#run(steps)).problem
  }
}

/** The script as far as the step that failed: what comes after it hardly has a part in it. */
function upTo({ path }: RandomRunProblem, steps: readonly StepInput[]): readonly StepInput[] {
  return path === null ? steps : steps.slice(0, Number(path.split('/')[0]) + 1)
}

function withoutExpectations(steps: readonly StepInput[]): readonly StepInput[] {
  const text = JSON.stringify(steps, (member, value: unknown) =>
    member === 'expect' || member === 'expectStatuses' ? undefined : value,
  )
  return JSON.parse(text) as StepInput[]
}
