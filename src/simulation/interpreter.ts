import { describeIssue } from '../spec/issue.ts'
import { readChainFacts } from './chainFacts.ts'
import type { DrivenChain } from './drivenChain.ts'
import { type Exchanges, outsideExchanges, type ScenarioRequest } from './exchanges.ts'
import { FaultPlan } from './faultPlan.ts'
import { type Inside, InsideSteps, isInsideStep } from './insideSteps.ts'
import { type ScenarioKey, ScenarioNames } from './names.ts'
import { abandonedBranch } from './nodeView.ts'
import { ReportSteps } from './reportSteps.ts'
import { ScenarioReports } from './reports.ts'
import { RequestSteps } from './requestSteps.ts'
import { ScenarioRequests } from './requests.ts'
import type { LoggedAnswer, Run, RunWatch, StepLog, Trace } from './runLog.ts'
import { ExpectationError, StepError } from './stepErrors.ts'
import { type Step, type StepInput, type StepOf, stepSchema } from './steps.ts'
import { UserSteps } from './userSteps.ts'
import { VenueSteps } from './venueSteps.ts'
import type { World } from './world.ts'

/**
 * Runs a script in a world, step by step, and checks what each step expects. The world should be fresh: names, faults and
 * reports of an earlier script are unknown to this one.
 *
 * @param onAnswer called with every request and its response.
 * @param watch observes the run.
 * @throws {ExpectationError} a response, or the state of the chain, is not what a step expects.
 * @throws {StepError} a step is malformed or cannot be run; the service is not at fault.
 */
export async function runSteps(
  world: World,
  steps: readonly StepInput[],
  onAnswer: (request: ScenarioRequest, answer: LoggedAnswer) => void = () => {},
  watch: RunWatch = {},
): Promise<Run> {
  const strikes = new Strikes()
  const faults = new FaultPlan((label) => strikes.add(label))
  const exchanges: ScenarioRequests = new ScenarioRequests(world, faults, {
    runSteps: ({ steps: within }) => interpreter.runWithin(within),
    onAnswer,
    onCrash: ({ when }) => strikes.add(`crash ${when}`),
  })
  const names = new ScenarioNames()
  const inside: Inside = { world, exchanges }
  const interpreter: Interpreter = new Interpreter({
    driven: world,
    names,
    exchanges,
    inside,
    faults,
    strikes,
    watch,
  })
  try {
    await interpreter.run(steps.map(parseStep), '')
  } finally {
    watch.done?.(interpreter.result())
  }
  return interpreter.result()
}

/** A service that is reached over HTTP only, as steps need it. */
export interface OutsideService {
  readonly driven: DrivenChain
  /** By the names that steps give them. */
  readonly keys: Readonly<Record<string, Omit<ScenarioKey, 'revoked'>>>
  ask(request: ScenarioRequest): Promise<LoggedAnswer>
}

/**
 * Runs a script against a service that is reached over HTTP only. Of what steps expect, only builds that later steps use
 * must succeed: the rest is the reference's choice, and the run is judged instead.
 *
 * @throws {ExpectationError} a build fails, or a transaction is not in the state that the script needs.
 * @throws {StepError} a step is malformed or cannot be run.
 */
export async function runStepsOutside(
  { driven, keys, ask }: OutsideService,
  steps: readonly StepInput[],
): Promise<Run> {
  const strikes = new Strikes()
  const faults = new FaultPlan((label) => strikes.add(label))
  const exchanges = outsideExchanges(ask)
  const names = new ScenarioNames(keys)
  const interpreter = new Interpreter({ driven, names, exchanges, inside: null, faults, strikes, watch: {} })
  await interpreter.run(steps.map(parseStep), '')
  return interpreter.result()
}

function parseStep(step: StepInput, index: number): Step {
  const parsed = stepSchema.safeParse(step)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const problem = issue === undefined ? 'it is malformed' : describeIssue(stepSchema, step, issue)
  throw new StepError(String(index), step.op, problem)
}

/** How often each fault and each crash happened. */
class Strikes {
  readonly #counts = new Map<string, number>()

  add(label: string): void {
    this.#counts.set(label, (this.#counts.get(label) ?? 0) + 1)
  }

  all(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#counts].sort(([one], [other]) => (one < other ? -1 : 1)))
  }
}

interface Deps {
  readonly driven: DrivenChain
  readonly names: ScenarioNames
  readonly exchanges: Exchanges
  /** Null: the service is reached over HTTP only. */
  readonly inside: Inside | null
  readonly faults: FaultPlan
  readonly strikes: Strikes
  readonly watch: RunWatch
}

class Interpreter {
  readonly #deps: Deps
  readonly #log: StepLog[] = []
  readonly #reports: ScenarioReports
  readonly #reportSteps: ReportSteps
  readonly #requests: RequestSteps
  readonly #user: UserSteps
  readonly #venues: VenueSteps
  readonly #insideSteps: InsideSteps | null
  /** The path of the step that is under way. */
  #path = ''

  constructor(deps: Deps) {
    const { driven, names, exchanges, inside, faults } = deps
    const strict = inside !== null
    const reports = new ScenarioReports(driven, names)
    this.#deps = deps
    this.#reports = reports
    this.#reportSteps = new ReportSteps({ driven, names, faults, exchanges, reports, strict })
    this.#requests = new RequestSteps({ driven, names, exchanges, reports, strict })
    this.#user = new UserSteps(driven, names)
    this.#venues = new VenueSteps(driven)
    this.#insideSteps = inside && new InsideSteps({ ...inside, names, faults, reports })
  }

  result(): Run {
    const { faults, inside, strikes } = this.#deps
    return {
      log: this.#log,
      builds: this.#reports.builds,
      reports: this.#reports.all,
      totals: this.#requests.totals,
      unmetFaults: faults.unmet + (inside?.exchanges.missedCrashes ?? 0),
      struck: strikes.all(),
    }
  }

  /** Runs steps during the request that is under way. */
  async runWithin(steps: readonly Step[]): Promise<void> {
    await this.run(steps, `${this.#path}/`)
    await this.#reportSteps.lookWithin()
  }

  async run(steps: readonly Step[], prefix: string): Promise<void> {
    const { driven, names, watch } = this.#deps
    const outer = this.#path
    for (const [index, step] of steps.entries()) {
      const path = `${prefix}${index}`
      this.#path = path
      watch.begin?.(path)
      const trace = await this.#runStep(step)
      const head = await driven.sandbox.chain.head()
      const logged: StepLog = {
        path,
        op: step.op,
        answers: trace.answers ?? [],
        sent: (trace.sent ?? []).map((name) => ({ name, hash: names.transactions.get(name).hash })),
        ...(trace.crashed === true ? { crashed: true } : {}),
        nowMs: driven.clock.nowMs(),
        head: { number: head.number.toString(), hash: head.hash, timestampS: head.timestampS },
      }
      this.#log.push(logged)
      await watch.end?.(logged)
    }
    this.#path = outer
  }

  async #runStep(step: Step): Promise<Trace> {
    const path = this.#path
    try {
      const trace = await this.#do(step, path)
      await this.#deps.inside?.exchanges.runLate()
      return trace
    } catch (error) {
      if (error instanceof ExpectationError || error instanceof StepError) throw error
      throw new StepError(path, step.op, error instanceof Error ? error.message : String(error), {
        cause: error,
      })
    }
  }

  async #do(step: Step, path: string): Promise<Trace> {
    if (isInsideStep(step)) {
      if (this.#insideSteps === null) throw new RangeError('it needs in-process access to the service')
      await this.#insideSteps.run(step)
      return {}
    }
    const { driven, names, faults } = this.#deps
    const { chain } = driven.sandbox
    switch (step.op) {
      case 'quote':
        return this.#requests.quote(step, path)
      case 'build':
        return this.#requests.build(step, path)
      case 'approve':
        return { sent: await this.#user.approve(step) }
      case 'pay-fee':
        return { sent: await this.#user.payFee(step) }
      case 'send':
        return { sent: await this.#user.send(step) }
      case 'replace':
        return { sent: await this.#user.replace(step) }
      case 'cancel':
        return { sent: await this.#user.cancel(step) }
      case 'drop':
        await chain.drop(names.transactions.get(step.tx).hash)
        return {}
      case 'resend':
        await chain.sendRaw(names.transactions.get(step.tx).rawTransaction)
        return { sent: [step.tx] }
      case 'mine':
        await driven.mine(step.blocks)
        return {}
      case 'mine-at-deadline': {
        const { validUntilMs } = names.builds.get(step.build)
        if (validUntilMs === null) throw new RangeError(`the build ${step.build} has no attribution window`)
        await driven.mineAt(Math.floor(validUntilMs / 1000) + step.offsetS)
        return {}
      }
      case 'wait':
        await driven.pass(Math.round(step.seconds * 1000))
        return {}
      case 'reorg':
        await this.#abandon()
        await chain.reorg({
          depth: step.depth,
          newBlocks: step.blocks ?? step.depth,
          include: step.keep.map(({ tx, block }) => ({
            rawTransaction: names.transactions.get(tx).rawTransaction,
            blockOffset: block,
          })),
        })
        return {}
      case 'rollback':
        await this.#abandon()
        await chain.rollback(step.depth)
        return {}
      case 'look':
        return this.#look(step, path)
      case 'confirm':
        return this.#reportSteps.confirm(step, path)
      case 'race':
        return this.#reportSteps.race(step, path)
      case 'spend-budget':
        return this.#reportSteps.spendBudget(step, path)
      case 'report':
        return this.#requests.report(step, path)
      case 'fault':
        await this.#venues.fault(step)
        return {}
      case 'move-pool':
        await this.#venues.movePool(step)
        return {}
      case 'heal':
        faults.heal()
        this.#insideSteps?.heal()
        await this.#venues.heal()
        return {}
    }
  }

  /** One node stays on the branch that is about to be orphaned. */
  async #abandon(): Promise<void> {
    const hashes = this.#deps.names.transactions.all().map(({ hash }) => hash)
    this.#deps.faults.abandon(await abandonedBranch(this.#deps.driven.sandbox, hashes))
  }

  async #look(step: StepOf<'look'>, path: string): Promise<Trace> {
    const { hash } = this.#deps.names.transactions.get(step.tx)
    const { transactions } = await readChainFacts(this.#deps.driven.sandbox, [hash])
    const facts = transactions.get(hash)
    const seen =
      facts?.state === 'mined' ? (facts.succeeded ? 'succeeded' : 'reverted') : (facts?.state ?? 'unknown')
    if (seen !== step.state) throw new ExpectationError(path, step.op, `${step.tx} ${step.state}`, seen)
    return {}
  }
}
