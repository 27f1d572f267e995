import { describeIssue } from '../../spec/issue.ts'
import { FaultPlan } from '../faults/faultPlan.ts'
import { checkExpected } from '../steps/expectations.ts'
import { ExpectationError, StepError } from '../steps/stepErrors.ts'
import { handleStep } from '../steps/stepHandlers.ts'
import type { Inside, StepRun } from '../steps/stepRun.ts'
import { type Step, type StepInput, stepSchema } from '../steps/steps.ts'
import type { DrivenChain } from '../world/drivenChain.ts'
import type { World } from '../world/world.ts'
import { type Ask, plainExchanges } from './exchanges.ts'
import { type ScenarioKey, ScenarioNames } from './names.ts'
import { ScenarioReports } from './reports.ts'
import { askService, ScenarioRequests } from './requests.ts'
import type { Run, RunWatch, StepContext, StepLog, Trace } from './runLog.ts'

/**
 * Runs a script in a world, step by step, and compares the responses with the expectations of each step. The world should be
 * fresh: this script does not know names, faults and reports of an earlier one.
 *
 * @param watch observes the run.
 * @param ask sends a request to the world's service; default: without a client.
 * @throws {ExpectationError} a response, or the state of the chain, differs from a step's expectation.
 * @throws {StepError} a step is malformed or cannot be run; the service is not at fault.
 */
export function runSteps(
  world: World,
  steps: readonly StepInput[],
  watch: RunWatch = {},
  ask: Ask = askService(world),
): Promise<Run> {
  const faults = new FaultPlan(world.sandbox.base.number)
  const exchanges: ScenarioRequests = new ScenarioRequests(world, faults, {
    runSteps: ({ steps: within }) => interpreter.runWithin(within),
    ask,
  })
  const inside: Inside = { world, exchanges }
  // The word may also occur elsewhere in the steps: then a node is kept that no step reads.
  const readsAbandoned = JSON.stringify(steps).includes('"abandoned"')
  const parts = { driven: world, names: new ScenarioNames(), exchanges, inside, faults, readsAbandoned }
  const interpreter: Interpreter = new Interpreter(parts, watch)
  return interpreter.runAll(steps)
}

/** A service without in-process access. */
export interface PlainService {
  readonly driven: DrivenChain
  /** Keys by the names that steps give them. */
  readonly keys: Readonly<Record<string, Omit<ScenarioKey, 'revoked'>>>
  readonly ask: Ask
}

/**
 * Runs a script against a service without in-process access. Of the expectations, only those of builds that later steps use
 * must hold: the rest is the reference's choice, and oracles judge the run instead.
 *
 * @param watch observes the run.
 * @throws {ExpectationError} a build fails, or a transaction is not in the state that the script needs.
 * @throws {StepError} a step is malformed or cannot be run.
 */
export function runPlainSteps(
  { driven, keys, ask }: PlainService,
  steps: readonly StepInput[],
  watch: RunWatch = {},
): Promise<Run> {
  const names = new ScenarioNames(keys)
  const exchanges = plainExchanges(ask)
  const faults = new FaultPlan()
  const parts = { driven, names, exchanges, inside: null, faults, readsAbandoned: false }
  return new Interpreter(parts, watch).runAll(steps)
}

function parseStep(step: StepInput, index: number): Step {
  const parsed = stepSchema.safeParse(step)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const problem = issue === undefined ? 'it is malformed' : describeIssue(stepSchema, step, issue)
  throw new StepError(String(index), step.op, problem)
}

class Interpreter {
  readonly #run: StepRun
  readonly #watch: RunWatch
  readonly #log: StepLog[] = []
  readonly #contexts: StepContext[] = []
  /** Path of the current step. */
  #path = ''
  /** Number of round trips of the service before the current outermost step. */
  #tripsBefore = 0

  constructor(parts: Omit<StepRun, 'reports' | 'totals' | 'faultyVenues'>, watch: RunWatch) {
    const reports = new ScenarioReports(parts.driven, parts.names)
    this.#run = { ...parts, reports, totals: [], faultyVenues: new Set() }
    this.#watch = watch
  }

  result(): Run {
    const { faults, inside, reports, totals } = this.#run
    return {
      log: this.#log,
      contexts: this.#contexts,
      builds: reports.builds,
      reports: reports.all,
      totals,
      unmetFaults: faults.unmet + (inside?.exchanges.missedCrashes ?? 0),
      struck: faults.struck,
    }
  }

  /** Runs a whole script. */
  async runAll(steps: readonly StepInput[]): Promise<Run> {
    try {
      await this.run(steps.map(parseStep), '')
    } finally {
      this.#watch.done?.(this.result())
    }
    return this.result()
  }

  /** Runs steps during the current request. */
  async runWithin(steps: readonly Step[]): Promise<void> {
    await this.run(steps, `${this.#path}/`)
    await this.#run.reports.lookWithin()
  }

  async run(steps: readonly Step[], prefix: string): Promise<void> {
    const { driven, names, exchanges, faults } = this.#run
    const outer = this.#path
    const isWithin = prefix !== ''
    for (const [index, step] of steps.entries()) {
      const path = `${prefix}${index}`
      this.#path = path
      this.#watch.begin?.(path)
      const struckBefore = faults.struck
      const tripsWithin = exchanges.roundTrips.length - this.#tripsBefore
      if (!isWithin) this.#tripsBefore = exchanges.roundTrips.length
      const { answers = [], sent = [], crashed = false } = await this.#runStep(step, path)
      const head = await driven.sandbox.chain.head()
      const logged: StepLog = {
        path,
        op: step.op,
        answers,
        sent: sent.map((name) => ({ name, hash: names.transactions.get(name).hash })),
        ...(crashed ? { crashed } : {}),
        nowMs: driven.clock.nowMs(),
        head: { number: head.number.toString(), hash: head.hash, timestampS: head.timestampS },
      }
      this.#log.push(logged)
      this.#contexts.push({
        struck: Object.entries(faults.struck).flatMap(([name, times]) =>
          times > (struckBefore[name] ?? 0) ? [name] : [],
        ),
        roundTrips: isWithin ? tripsWithin : exchanges.roundTrips.length - this.#tripsBefore,
      })
      await this.#watch.end?.(logged)
    }
    this.#path = outer
  }

  async #runStep(step: Step, path: string): Promise<Trace> {
    const { inside } = this.#run
    try {
      const trace = await handleStep(this.#run, step, path)
      if (trace.crashed !== true) checkExpected(step, path, trace.answers ?? [], inside !== null)
      await inside?.exchanges.runLate()
      return trace
    } catch (error) {
      if (error instanceof ExpectationError || error instanceof StepError) throw error
      throw new StepError(path, step.op, error instanceof Error ? error.message : String(error), {
        cause: error,
      })
    }
  }
}
