import { hashSecret } from '../../service/testing.ts'
import type { Trace } from '../run/runLog.ts'
import { readChainFacts } from '../world/chainFacts.ts'
import { abandonedBranch } from '../world/nodeView.ts'
import { confirm, race, spendBudget } from './reportSteps.ts'
import { build, partnerReport, quote } from './requestSteps.ts'
import { ExpectationError } from './stepErrors.ts'
import type { Inside, StepRun } from './stepRun.ts'
import type { Step, StepOf } from './steps.ts'
import { approve, cancel, payFee, replace, send } from './userSteps.ts'
import { healVenues, injectVenueFault, movePool } from './venueSteps.ts'

type InsideOp =
  | 'line-fault'
  | 'store-fault'
  | 'meanwhile'
  | 'crash-at'
  | 'skew'
  | 'issue-key'
  | 'revoke-key'
  | 'restart'
type OutsideOp = Exclude<Step['op'], InsideOp>
/** The results for the log, if any. */
type Done = Promise<Trace> | Promise<void>

/** Handlers of the steps that need in-process access: faults of line and store, the service's clock, keys, restarts. */
const INSIDE_HANDLERS: {
  readonly [Op in InsideOp]: (inside: Inside, step: StepOf<Op>, run: StepRun) => unknown
} = {
  'line-fault': (_inside, step, { faults }) => faults.planLine(step),
  'store-fault': (_inside, step, { faults }) => faults.planStore(step),
  meanwhile: ({ exchanges }, step) => exchanges.plan(step),
  'crash-at': ({ exchanges }, step) => exchanges.planCrash(step),
  skew: (inside, { aheadMs }, run) => setSkew(inside, aheadMs, run),
  // The secret is derived from the name, so that equal scripts issue equal keys.
  'issue-key': async ({ world }, { as, partner, kind }, { names }) => {
    const secret = `plumbline-scenario-key-${as}`
    const key = { keyId: `key-${as}`, partnerId: partner, kind }
    const createdAtMs = world.serviceClock.nowMs()
    await world.store.insertKey({
      ...key,
      secretSha256: hashSecret(secret),
      createdAtMs,
      revokedAtMs: null,
    })
    names.keys.set(as, { ...key, secret, revoked: false })
  },
  'revoke-key': async ({ world }, { key: name }, { names }) => {
    const key = names.keys.get(name)
    await world.store.revokeKey(key.keyId, world.serviceClock.nowMs())
    names.keys.set(name, { ...key, revoked: true })
  },
  restart: ({ world }) => world.restart(),
}

/** Handlers of all other steps. */
const HANDLERS: {
  readonly [Op in OutsideOp]: (run: StepRun, step: StepOf<Op>, path: string) => Done
} = {
  quote,
  build,
  report: partnerReport,
  confirm,
  race,
  'spend-budget': spendBudget,
  approve,
  'pay-fee': payFee,
  send,
  replace,
  cancel,
  drop: ({ driven, names }, { tx }) => driven.sandbox.chain.drop(names.transactions.get(tx).hash),
  resend: async ({ driven, names }, { tx }) => {
    await driven.sandbox.chain.sendRaw(names.transactions.get(tx).rawTransaction)
    return { sent: [tx] }
  },
  mine: async ({ driven }, { blocks }) => {
    await driven.mine(blocks)
  },
  'mine-at-deadline': async ({ driven, names }, step) => {
    const { validUntilMs } = names.builds.get(step.build)
    if (validUntilMs === null) throw new RangeError(`the build ${step.build} has no attribution window`)
    await driven.mineAt(Math.floor(validUntilMs / 1000) + step.offsetS)
  },
  wait: ({ driven }, { seconds }) => driven.pass(Math.round(seconds * 1000)),
  reorg: async (run, { depth, blocks, keep }) => {
    await keepAbandoned(run)
    await run.driven.sandbox.chain.reorg({
      depth,
      newBlocks: blocks ?? depth,
      include: keep.map(({ tx, block }) => ({
        rawTransaction: run.names.transactions.get(tx).rawTransaction,
        blockOffset: block,
      })),
    })
  },
  rollback: async (run, { depth }) => {
    await keepAbandoned(run)
    await run.driven.sandbox.chain.rollback(depth)
  },
  look: async ({ driven, names }, { op, tx, state }, path) => {
    const { hash } = names.transactions.get(tx)
    const facts = (await readChainFacts(driven.sandbox, [hash])).transactions.get(hash)
    const mined = facts?.state === 'mined' && (facts.succeeded ? 'succeeded' : 'reverted')
    const actual = mined || (facts?.state ?? 'unknown')
    if (actual !== state) throw new ExpectationError(path, op, `${tx} ${state}`, actual)
  },
  fault: injectVenueFault,
  'move-pool': movePool,
  heal: async (run) => {
    run.faults.heal()
    const { serviceClock, clock } = run.driven
    if (run.inside !== null && serviceClock.nowMs() !== clock.nowMs()) setSkew(run.inside, 0, run)
    await healVenues(run)
  },
}

/** Returns whether a step needs in-process access to the service. */
export function isInsideStep<Written extends Pick<Step, 'op'>>(
  step: Written,
): step is Extract<Written, { readonly op: InsideOp }> {
  return Object.hasOwn(INSIDE_HANDLERS, step.op)
}

/**
 * Runs one step.
 *
 * @throws {ExpectationError} an expectation that the step checks itself does not hold.
 * @throws {RangeError} it needs in-process access, which is missing.
 */
export async function handleStep(run: StepRun, step: Step, path: string): Promise<Trace> {
  if (isInsideStep(step)) {
    if (run.inside === null) throw new RangeError('it needs in-process access to the service')
    const handle = INSIDE_HANDLERS[step.op] as (inside: Inside, step: Step, run: StepRun) => unknown
    await handle(run.inside, step, run)
    return {}
  }
  const handle = HANDLERS[step.op] as (run: StepRun, step: Step, path: string) => Done
  return (await handle(run, step, path)) ?? {}
}

/** Sets the service's clock; from then on it is unknown whether a spent budget is still spent. */
function setSkew({ world }: Inside, aheadMs: number, { reports }: StepRun): void {
  world.skew(aheadMs)
  reports.clockSet()
}

/** Keeps a node on the branch that is about to be orphaned, if a step reads from it. */
async function keepAbandoned({ driven, names, faults, readsAbandoned }: StepRun): Promise<void> {
  if (!readsAbandoned) return
  const hashes = names.transactions.all().map(({ hash }) => hash)
  faults.abandon(await abandonedBranch(driven.sandbox, hashes))
}
