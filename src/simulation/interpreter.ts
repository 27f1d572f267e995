import { hashSecret } from '../service/partners/secret.ts'
import { type BuildResponse, buildResponseSchema } from '../spec/wire.ts'
import { readChainFacts } from './chainFacts.ts'
import { demandAnswer, jsonOf } from './expectations.ts'
import { FaultPlan } from './faultPlan.ts'
import { accountNamed, StoryNames } from './names.ts'
import { ReportSteps } from './reportSteps.ts'
import { StoryReports, validUntilMsOf } from './reports.ts'
import { type StoryRequest, StoryRequests } from './requests.ts'
import type { LoggedAnswer, Run, RunWatch, StepLog, Trace } from './runLog.ts'
import { type Expectation, type Step, type StepInput, type StepOf, stepSchema } from './steps.ts'
import { ExpectationError, StepError } from './storyErrors.ts'
import { UserSteps } from './userSteps.ts'
import { tokenAddress, VenueSteps } from './venueSteps.ts'
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
  readonly #faults = new FaultPlan()
  readonly #log: StepLog[] = []
  readonly #requests: StoryRequests
  readonly #reports: StoryReports
  readonly #reporter: ReportSteps
  readonly #user: UserSteps
  readonly #venues: VenueSteps
  /** Where the step that is under way stands. */
  #path = ''

  constructor(
    world: World,
    onAnswer: (request: StoryRequest, answer: LoggedAnswer) => void,
    watch: RunWatch,
  ) {
    this.#world = world
    this.#watch = watch
    this.#requests = new StoryRequests(
      world,
      this.#faults,
      ({ steps }) => this.run(steps, `${this.#path}/`),
      onAnswer,
    )
    this.#reports = new StoryReports(world, this.#names)
    this.#reporter = new ReportSteps({
      world,
      names: this.#names,
      faults: this.#faults,
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
      unmetFaults: this.#faults.unmet,
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
      return await this.#do(step, path)
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
        return this.#ask(step, path, {
          method: 'GET',
          path: `/api/v1/quote?${queryText(withTokens(this.#world, step.query))}`,
          secret: this.#names.keys.get(step.key).secret,
        })
      case 'build':
        return this.#build(step, path)
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
        return this.#ask(step, path, {
          method: 'GET',
          path: '/api/v1/partner/report',
          secret: this.#names.keys.get(step.key).secret,
        })
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
      case 'issue-key':
        await this.#issueKey(step)
        return {}
      case 'revoke-key': {
        const key = this.#names.keys.get(step.key)
        await this.#world.store.revokeKey(key.keyId, clock.nowMs())
        this.#names.keys.set(step.key, { ...key, revoked: true })
        return {}
      }
      case 'restart':
        await this.#world.restart()
        return {}
      case 'heal':
        this.#faults.heal()
        await this.#venues.heal()
        return {}
    }
  }

  async #ask(
    step: { readonly op: Step['op']; readonly expect?: Expectation | undefined },
    path: string,
    request: StoryRequest,
  ): Promise<{ readonly answers: readonly [LoggedAnswer] }> {
    const answer = await this.#requests.send(request)
    demandAnswer(step, path, answer)
    return { answers: [answer] }
  }

  async #build(step: StepOf<'build'>, path: string): Promise<Trace> {
    const key = this.#names.keys.get(step.key)
    const account = accountNamed(step.sender)
    const trace = await this.#ask(step, path, {
      method: 'POST',
      path: '/api/v1/swap/build',
      secret: key.secret,
      body: { ...withTokens(this.#world, step.body), sender: this.#world.address(account) },
    })
    const [answer] = trace.answers
    if (answer.status !== 200) return trace
    const parsed = buildResponseSchema.safeParse(jsonOf(answer))
    if (!parsed.success) throw new ExpectationError(path, step.op, 'a complete build', answer.body)
    const response: BuildResponse = parsed.data
    this.#names.builds.set(step.as, {
      response,
      key,
      account,
      tokenIn: tokenAddress(this.#world, String(step.body.from)),
      createdAtMs: this.#world.clock.nowMs(),
      validUntilMs: validUntilMsOf(response),
    })
    return trace
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

  /** A key with a secret that follows from its name: equal scripts issue equal keys. */
  async #issueKey({ as, partner, kind }: StepOf<'issue-key'>): Promise<void> {
    const secret = `plumbline-story-key-${as}`
    const keyId = `key-${as}`
    await this.#world.store.insertKey({
      keyId,
      partnerId: partner,
      kind,
      secretSha256: hashSecret(secret),
      createdAtMs: this.#world.clock.nowMs(),
      revokedAtMs: null,
    })
    this.#names.keys.set(as, { keyId, partnerId: partner, kind, secret, revoked: false })
  }
}

/** The request with address and decimals of the tokens that only the world knows, where the step leaves them out. */
function withTokens({ manifest }: World, request: StepOf<'build'>['body']): StepOf<'build'>['body'] {
  const outside = (['from', 'to'] as const).flatMap((side) => {
    const token = manifest.otherTokens.find(({ symbol }) => symbol === request[side])
    return token === undefined
      ? []
      : [
          [`${side}Address`, token.address],
          [`${side}Decimals`, token.decimals],
        ]
  })
  return { ...Object.fromEntries(outside), ...request }
}

function queryText(query: StepOf<'quote'>['query']): string {
  return new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, `${value}`] as [string, string]),
  ).toString()
}
