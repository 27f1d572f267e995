import { AskSteps } from './askSteps.ts'
import { readChainFacts } from './chainFacts.ts'
import { FaultPlan } from './faultPlan.ts'
import { issueKey, revokeKey } from './keySteps.ts'
import { StoryNames } from './names.ts'
import { abandonedBranch } from './nodeView.ts'
import { ReportSteps } from './reportSteps.ts'
import { StoryReports } from './reports.ts'
import { type StoryRequest, StoryRequests } from './requests.ts'
import type { LoggedAnswer, Run, RunWatch, StepLog, Trace } from './runLog.ts'
import { type Step, type StepInput, type StepOf, stepSchema } from './steps.ts'
import { ExpectationError, StepError } from './storyErrors.ts'
import { UserSteps } from './userSteps.ts'
import { VenueSteps } from './venueSteps.ts'
import type { World } from './world.ts'

/**
 * Runs a script on a world, step by step, and checks what each step expects. The world should be fresh: names, faults
 * and reports of an earlier script are unknown to this one.
 *
 * @param onAnswer Told every request with its answer as it comes.
 * @param watch Follows the run.
 * @throws {ExpectationError} an answer, or the chain, is not what a step expects.
 * @throws {StepError} a step is malformed or cannot be carried out; the service has no part in it.
 */
export async function runSteps(
  world: World,
  steps: readonly StepInput[],
  onAnswer: (request: StoryRequest, answer: LoggedAnswer) => void = () => {},
  watch: RunWatch = {},
): Promise<Run> {
  const interpreter = new Interpreter(world, onAnswer, watch)
  try {
    await interpreter.run(
      steps.map((step, index) => parseStep(step, index)),
      '',
    )
  } finally {
    watch.done?.(interpreter.result())
  }
  return interpreter.result()
}

function parseStep(step: StepInput, index: number): Step {
  const parsed = stepSchema.safeParse(step)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw new StepError(
    String(index),
    step.op,
    `malformed: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`,
  )
}

class Interpreter {
  readonly #world: World
  readonly #watch: RunWatch
  readonly #names = new StoryNames()
  readonly #struck = new Map<string, number>()
  readonly #faults = new FaultPlan((label) => this.#strike(label))
  readonly #log: StepLog[] = []
  readonly #requests: StoryRequests
  readonly #reports: StoryReports
  readonly #reporter: ReportSteps
  readonly #asker: AskSteps
  readonly #user: UserSteps
  readonly #venues: VenueSteps
  /** Where the step that is under way stands. */
  #path = ''
  #aheadMs = 0

  constructor(
    world: World,
    onAnswer: (request: StoryRequest, answer: LoggedAnswer) => void,
    watch: RunWatch,
  ) {
    this.#world = world
    this.#watch = watch
    this.#requests = new StoryRequests(world, this.#faults, {
      runSteps: async ({ steps }) => {
        await this.run(steps, `${this.#path}/`)
        await this.#reporter.lookWithin()
      },
      onAnswer,
      onCrash: ({ when }) => this.#strike(`crash ${when}`),
    })
    this.#reports = new StoryReports(world, this.#names)
    this.#reporter = new ReportSteps({
      world,
      names: this.#names,
      faults: this.#faults,
      requests: this.#requests,
      reports: this.#reports,
    })
    this.#asker = new AskSteps({
      world,
      names: this.#names,
      requests: this.#requests,
      reports: this.#reports,
    })
    this.#user = new UserSteps(world, this.#names)
    this.#venues = new VenueSteps(world)
  }

  result(): Run {
    return {
      log: this.#log,
      builds: this.#reports.builds,
      reports: this.#reports.all,
      totals: this.#asker.totals,
      unmetFaults: this.#faults.unmet + this.#requests.missedCrashes,
      struck: Object.fromEntries([...this.#struck].sort(([one], [other]) => (one < other ? -1 : 1))),
    }
  }

  async run(steps: readonly Step[], prefix: string): Promise<void> {
    const outer = this.#path
    for (const [index, step] of steps.entries()) {
      const path = `${prefix}${index}`
      this.#path = path
      this.#watch.begin?.(path)
      const trace = await this.#carryOut(step)
      const head = await this.#world.sandbox.chain.head()
      const logged: StepLog = {
        path,
        op: step.op,
        answers: trace.answers ?? [],
        sent: (trace.sent ?? []).map((name) => ({ name, hash: this.#names.transactions.get(name).hash })),
        ...(trace.crashed === true ? { crashed: true } : {}),
        nowMs: this.#world.clock.nowMs(),
        head: { number: head.number.toString(), hash: head.hash, timestampS: head.timestampS },
      }
      this.#log.push(logged)
      await this.#watch.end?.(logged)
    }
    this.#path = outer
  }

  async #carryOut(step: Step): Promise<Trace> {
    const path = this.#path
    try {
      const trace = await this.#do(step, path)
      await this.#requests.runLate()
      return trace
    } catch (error) {
      if (error instanceof ExpectationError || error instanceof StepError) throw error
      throw new StepError(path, step.op, error instanceof Error ? error.message : String(error), {
        cause: error,
      })
    }
  }

  async #do(step: Step, path: string): Promise<Trace> {
    const { sandbox, clock } = this.#world
    switch (step.op) {
      case 'quote':
        return this.#asker.quote(step, path)
      case 'build':
        return this.#asker.build(step, path)
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
        await sandbox.chain.drop(this.#names.transactions.get(step.tx).hash)
        return {}
      case 'resend':
        await sandbox.chain.sendRaw(this.#names.transactions.get(step.tx).rawTransaction)
        return { sent: [step.tx] }
      case 'mine':
        await this.#world.mine(step.blocks)
        return {}
      case 'mine-at-deadline': {
        const { validUntilMs } = this.#names.builds.get(step.build)
        if (validUntilMs === null) throw new RangeError(`${step.build} has no window`)
        await this.#world.mineAt(Math.floor(validUntilMs / 1000) + step.offsetS)
        return {}
      }
      case 'wait':
        clock.advanceBy(Math.round(step.seconds * 1000))
        return {}
      case 'reorg':
        await this.#abandon()
        await sandbox.chain.reorg({
          depth: step.depth,
          newBlocks: step.blocks ?? step.depth,
          include: step.keep.map(({ tx, block }) => ({
            rawTransaction: this.#names.transactions.get(tx).rawTransaction,
            blockOffset: block,
          })),
        })
        return {}
      case 'rollback':
        await this.#abandon()
        await sandbox.chain.rollback(step.depth)
        return {}
      case 'look':
        return this.#look(step, path)
      case 'confirm':
        return this.#reporter.confirm(step, path)
      case 'race':
        return this.#reporter.race(step, path)
      case 'spend-budget':
        return this.#reporter.spendBudget(step, path)
      case 'report':
        return this.#asker.report(step, path)
      case 'fault':
        await this.#venues.fault(step)
        return {}
      case 'move-pool':
        await this.#venues.movePool(step)
        return {}
      case 'line-fault':
        this.#faults.planLine(step)
        return {}
      case 'store-fault':
        this.#faults.planStore(step)
        return {}
      case 'meanwhile':
        this.#requests.plan(step)
        return {}
      case 'crash-at':
        this.#requests.planCrash(step)
        return {}
      case 'skew':
        this.#skew(step.aheadMs)
        return {}
      case 'issue-key':
        await issueKey(this.#world, this.#names, step)
        return {}
      case 'revoke-key':
        await revokeKey(this.#world, this.#names, step)
        return {}
      case 'restart':
        await this.#world.restart()
        return {}
      case 'heal':
        this.#faults.heal()
        if (this.#aheadMs !== 0) this.#skew(0)
        await this.#venues.heal()
        return {}
    }
  }

  /** One node stays behind on the branch that is about to be left. */
  async #abandon(): Promise<void> {
    const hashes = this.#names.transactions.all().map(({ hash }) => hash)
    this.#faults.abandon(await abandonedBranch(this.#world.sandbox, hashes))
  }

  #skew(aheadMs: number): void {
    this.#aheadMs = aheadMs
    this.#world.skew(aheadMs)
    this.#reports.clockSet()
  }

  #strike(label: string): void {
    this.#struck.set(label, (this.#struck.get(label) ?? 0) + 1)
  }

  async #look(step: StepOf<'look'>, path: string): Promise<Trace> {
    const { hash } = this.#names.transactions.get(step.tx)
    const { transactions } = await readChainFacts(this.#world.sandbox, [hash])
    const facts = transactions.get(hash)
    const seen =
      facts?.state === 'mined' ? (facts.succeeded ? 'succeeded' : 'reverted') : (facts?.state ?? 'unknown')
    if (seen !== step.state) throw new ExpectationError(path, step.op, `${step.tx} ${step.state}`, seen)
    return {}
  }
}
