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

/** The swap of a case: its own, or the environment's sample swap with these parameters added, which any service serves. */
export type Asked = SwapParameters | { readonly sample: Partial<SwapParameters> }

export function swapOf({ samples }: Environment, asked: Asked): SwapParameters {
  return 'sample' in asked ? { ...samples.swap, ...asked.sample } : asked
}

/** Returns the parts of the environment that a case with this swap uses. */
export function usesOf(asked: Asked): readonly 'control'[] {
  return 'sample' in asked ? [] : ['control']
}

/** Returns the swap as text for the title of a case. */
export function titleOf(asked: Asked): string {
  return 'sample' in asked ? 'a swap' : `${asked.amount} ${asked.from} to ${asked.to}`
}

export function bodyFor(
  environment: Environment,
  account: AccountName,
  ask: SwapParameters,
): Record<string, string | number> {
  return { ...parametersOf(environment.manifest, ask), sender: ACCOUNTS[account].address }
}

/**
 * Builds a swap that must be served, and judges the response by everything that is known before its execution.
 *
 * @param clauses requirements that a refusal of this request would violate.
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
 * Returns why a response is not a build: its error, or its malformed fields. Omits their values, which differ between cases
 * with the same cause.
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

/** Returns the build in a response. @throws {BlamedError} if there is none. */
export function buildIn(answer: Answer): BuildResponse {
  const parsed = buildResponseSchema.safeParse(answer.json)
  assumeServed(answer.status === 200 && parsed.success, whyNoBuild(answer))
  recordServed('build')
  return parsed.data
}

/**
 * Builds a swap as a precondition of a case.
 *
 * @throws {BlamedError} if the service does not build it.
 */
export async function someBuild(
  environment: Environment,
  account: AccountName,
  ask: SwapParameters,
  key: KeyName = 'one',
): Promise<BuildResponse> {
  return buildIn(await environment.client(key).build(bodyFor(environment, account, ask)))
}

/**
 * Builds the sample swap of the environment, for its sender.
 *
 * @throws {BlamedError} if the service does not build it.
 */
export async function sampleBuild(environment: Environment, key: KeyName = 'one'): Promise<BuildResponse> {
  const { swap, sender } = environment.samples
  const answer = await environment.client(key).build({ ...swap, sender })
  await assumeFunded(environment, answer)
  return buildIn(answer)
}

/** Sends and mines the approvals, permit and fee transfer of a build. */
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

/** A mined swap with its receipt. */
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
