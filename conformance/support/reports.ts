import type { AccountName } from '../../src/fixtures/accounts.ts'
import { judgeRetryAfter, parseValidUntil, type SwapAsk } from '../../src/oracles/index.ts'
import { type BuildResponse, confirmResponseSchema } from '../../src/spec/wire.ts'
import type { Answer } from '../../src/targets/client.ts'
import { type Environment, has, type KeyName, type With } from '../../src/targets/environment.ts'
import { assumeServed, demandJudged, insist, insistStatus, type Promised, sightOf } from './expect.ts'
import { EVERYWHERE, type Executed, sampleBuild, someSwap } from './swaps.ts'

/** A swap of venue_a: an ERC-20 in, one transaction, no fee transfer. */
export const PLAIN = { ...EVERYWHERE, preferEngine: 'venue_a' } as const satisfies SwapAsk
/** The native coin in: no approval, and a value to match. */
export const NATIVE_IN = {
  from: 'ETH',
  to: 'USDG',
  amount: 0.5,
  preferEngine: 'venue_a',
} as const satisfies SwapAsk

/** The buildId of a build. @throws {NotExercisedError} it has no attribution. */
function buildIdOf(build: BuildResponse): string {
  assumeServed(build.attribution !== null, 'the build has no attribution')
  return build.attribution.buildId
}

/** The last second of a build's window. */
export function deadlineS(build: BuildResponse): number {
  const until = parseValidUntil(build.attribution?.validUntil)
  assumeServed(until !== null, 'validUntil cannot be read')
  return Math.floor(until.epochMs / 1000)
}

/** A swap that went through and lies 13 deep: every count of confirmations agrees that this is enough. */
export async function deepSwap(
  environment: With<'control'>,
  account: AccountName = 'alice',
  ask: SwapAsk = PLAIN,
  key: KeyName = 'one',
): Promise<Executed> {
  const executed = await someSwap(environment, account, ask, key)
  await environment.control.mine(12)
  return executed
}

/** Something to report that nothing is wrong with, and what must be answered to it. */
export interface Reportable {
  readonly buildId: string
  readonly txHash: string
  /** Reports it as it is, and asks for the answer that it deserves: the twin of a report with a defect. */
  insistTaken(promised: Promised): Promise<void>
}

/**
 * In a sandbox a swap that lies deep enough, which must be recorded; elsewhere a build whose swap nobody has sent, which
 * must be found and be pending.
 */
export async function reportable(environment: Environment, key: KeyName = 'one'): Promise<Reportable> {
  if (has(environment, 'control')) {
    const { build, swap } = await deepSwap(environment, 'alice', PLAIN, key)
    return {
      buildId: buildIdOf(build),
      txHash: swap.hash,
      insistTaken: async (promised) =>
        insistRecorded(promised, await report(environment, build, swap.hash, key)),
    }
  }
  const build = await sampleBuild(environment, key)
  return {
    buildId: buildIdOf(build),
    txHash: UNKNOWN_HASH,
    insistTaken: async (promised) =>
      insistPending(promised, await report(environment, build, UNKNOWN_HASH, key)),
  }
}

/** The hash of no transaction. */
const UNKNOWN_HASH = `0x${'ab'.repeat(32)}`

/** Reports a transaction for a build. */
export function report(
  environment: Environment,
  build: BuildResponse,
  txHash: string,
  key: KeyName = 'one',
): Promise<Answer> {
  return environment.client(key).confirm({ buildId: buildIdOf(build), txHash })
}

/** Asks for the answer to a first report that counts (§4.3): the swap is recorded, and the body says so exactly. */
export function insistRecorded(promised: Promised, answer: Answer): void {
  const requirements = typeof promised === 'string' ? [promised] : promised
  const recorded = answer.status === 200
  insist(
    [...requirements, 'confirm.records'] as Promised,
    recorded,
    '200 { recorded: true, … }',
    sightOf(answer),
  )
  const parsed = confirmResponseSchema.safeParse(answer.json)
  insist(['confirm.result-body', 'confirm.recorded'], parsed.success, 'two booleans', sightOf(answer))
  const first = parsed.data?.recorded === true && !parsed.data.alreadyRecorded
  insist('confirm.recorded', first, '{ recorded: true, alreadyRecorded: false }', sightOf(answer))
}

/** Asks for 202 with `Retry-After` (§4.3). */
export function insistPending(promised: Promised, answer: Answer): void {
  insistStatus(promised, answer, 202)
  demandJudged([judgeRetryAfter(answer)])
}
