import { ACCOUNTS, type AccountName } from '../../src/fixtures/accounts.ts'
import { factsOf, parametersOf, type SwapParameters } from '../../src/oracles/index.ts'
import { prepareSwap, sendSwap } from '../../src/runner/executeBuild.ts'
import type { Receipt } from '../../src/sandbox/chain.ts'
import type { SignedTransaction } from '../../src/sandbox/wallet.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'
import { type BuildResponse, buildResponseSchema } from '../../src/spec/wire.ts'
import type { Answer } from '../../src/targets/environment/client.ts'
import type { Environment, KeyName, With } from '../../src/targets/environment/environment.ts'
import { recordServed } from '../../src/targets/evidence/evidence.ts'
import { assert, assume, assumeServed, responseText } from './expect.ts'
import { assumeFunded, sendBuild } from './judged.ts'

/** USDG to DUSD: the pair that all six venues trade. */
export const EVERYWHERE = { from: 'USDG', to: 'DUSD', amount: 1_234.56 } as const satisfies SwapParameters

/** A swap of a case: its own, or the sample swap of the environment with these parameters added; any service has one. */
export type Asked = SwapParameters | { readonly sample: Partial<SwapParameters> }

export function swapOf({ samples }: Environment, asked: Asked): SwapParameters {
  return 'sample' in asked ? { ...samples.swap, ...asked.sample } : asked
}

/** Returns what a case about this swap uses. */
export function usesOf(asked: Asked): readonly 'control'[] {
  return 'sample' in asked ? [] : ['control']
}

/** Returns the swap in the title of a case. */
export function titleOf(asked: Asked): string {
  return 'sample' in asked ? 'a swap' : `${asked.amount} ${asked.from} to ${asked.to}`
}

/** Returns the body of a build of `ask` for an account. */
export function bodyFor(
  environment: Environment,
  account: AccountName,
  ask: SwapParameters,
): Record<string, string | number> {
  return { ...parametersOf(environment.manifest, ask), sender: ACCOUNTS[account].address }
}

/**
 * Builds a swap that must be served, and holds the response to everything that is known before it is carried out.
 *
 * @param clauses what a refusal of this request would break.
 * @throws {PromiseBrokenError}
 */
export async function judgedBuild(
  environment: Environment,
  sender: `0x${string}`,
  ask: SwapParameters,
  clauses: readonly RequirementId[] = [],
  boundary = 'build',
): Promise<BuildResponse> {
  const body = { ...parametersOf(environment.manifest, ask), sender }
  const intent = { mustBe: 'served', clauses, boundaryClasses: [`served.${boundary}`] } as const
  const { build, answer } = await sendBuild(environment, body, intent)
  assert('build.response.route', build !== null, 'a complete build', responseText(answer))
  return build
}

/**
 * Returns why a response is no build to work with: what it says instead, or which of its fields are malformed. Their values are left
 * out: they differ from case to case, and the cause is one.
 */
export function whyNoBuild(answer: Answer): string {
  const { error } = buildResponseSchema.safeParse(answer.json)
  if (answer.status !== 200 || error === undefined) return `no build to work with: ${responseText(answer)}`
  const paths = new Set(
    error.issues.map(({ path }) =>
      path.reduce<string>(
        (before, part) =>
          typeof part === 'number' ? `${before}[]` : `${before}${before === '' ? '' : '.'}${String(part)}`,
        '',
      ),
    ),
  )
  return `no build to work with: malformed: ${[...paths].map((path) => path || 'no object').join(', ')}`
}

/**
 * Builds a swap that a case needs for something else.
 *
 * @throws {BlamedError} the service does not build it.
 */
export async function someBuild(
  environment: Environment,
  account: AccountName,
  ask: SwapParameters,
  key: KeyName = 'one',
): Promise<BuildResponse> {
  const answer = await environment.client(key).build(bodyFor(environment, account, ask))
  const parsed = buildResponseSchema.safeParse(answer.json)
  assumeServed(answer.status === 200 && parsed.success, whyNoBuild(answer))
  recordServed('build')
  return parsed.data
}

/**
 * Builds the sample swap of the environment, by whoever is its sender.
 *
 * @throws {BlamedError} the service does not build it.
 */
export async function sampleBuild(environment: Environment, key: KeyName = 'one'): Promise<BuildResponse> {
  const { swap, sender } = environment.samples
  const answer = await environment.client(key).build({ ...swap, sender })
  await assumeFunded(environment, answer)
  const parsed = buildResponseSchema.safeParse(answer.json)
  assumeServed(answer.status === 200 && parsed.success, whyNoBuild(answer))
  return parsed.data
}

/** Approvals, permit and fee transfer of a build, mined. */
export async function prepareMined(
  environment: With<'control'>,
  account: AccountName,
  ask: SwapParameters,
  build: BuildResponse,
): Promise<void> {
  const { tokenIn } = factsOf(environment.manifest, ask)
  const sent = await prepareSwap(environment.control, account, tokenIn.address, build)
  if (sent.length === 0) return
  await environment.control.mine()
  for (const { hash } of sent) {
    const receipt = await environment.control.sandbox.chain.receipt(hash)
    assumeServed(receipt?.success === true, 'an approval or a fee transfer of its build reverts')
  }
}

/** A swap in a block, with its receipt. */
export interface Executed {
  readonly build: BuildResponse
  readonly swap: SignedTransaction
  readonly receipt: Receipt
}

/** Sends the swap of a build and mines one block. */
export async function execute(
  environment: With<'control'>,
  account: AccountName,
  build: BuildResponse,
): Promise<Executed> {
  const swap = await sendSwap(environment.control, account, build)
  await environment.control.mine()
  const receipt = await environment.control.sandbox.chain.receipt(swap.hash)
  assume(receipt !== null, 'the swap was not mined')
  return { build, swap, receipt }
}
