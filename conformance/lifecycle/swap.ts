import { ACCOUNTS, type AccountName } from '../../src/fixtures/accounts.ts'
import {
  decodeSwap,
  judgeBuild,
  judgeQuote,
  parametersOf,
  SURELY_DEEP,
  type SwapParameters,
} from '../../src/oracles/index.ts'
import { assertVerdicts } from '../../src/runner/cases/assertVerdicts.ts'
import { executeBuild } from '../../src/runner/executeBuild.ts'
import { judgingContextOf } from '../../src/runner/judgingContext.ts'
import { observeBuild, observeQuote } from '../../src/runner/observe.ts'
import type { BuildResponse } from '../../src/spec/wire.ts'
import { PromiseBrokenError } from '../../src/targets/blame.ts'
import type { KeyName, With } from '../../src/targets/environment/environment.ts'
import { noteExchange } from '../../src/targets/evidence/evidence.ts'
import { Reports } from '../support/reports.ts'

/** The results of one whole swap, every step of which was judged. */
export interface Lifecycle {
  readonly build: BuildResponse
  readonly receivedRaw: bigint
  readonly minimumRaw: bigint
  readonly feeRaw: bigint
}

/**
 * Runs a swap from quote to confirmed attribution: quote, build, approval or permit, fee transfer, swap, thirteen blocks,
 * confirm. Judges every response and compares every account's balance with the promises to the wei.
 *
 * @param options `by`: the key that quotes, builds and reports. `attributed`: true if the build must carry an attribution; a
 *   build without one is not reported.
 * @throws {PromiseBrokenError} at the first promise that is broken.
 */
export async function swapLifecycle(
  environment: With<'control'>,
  account: AccountName,
  ask: SwapParameters,
  { by = 'one', attributed = true }: { readonly by?: KeyName; readonly attributed?: boolean } = {},
): Promise<Lifecycle> {
  const { manifest, control } = environment
  const client = environment.client(by)
  const context = await judgingContextOf(environment)
  const query = parametersOf(manifest, ask)

  const quoted = await observeQuote(context, client, query, { mustBe: 'served' })
  const quote = judgeQuote(quoted.observation)
  noteExchange(quoted.answer.exchange)
  assertVerdicts(quote.verdicts, quote.route?.engine)

  const body = { ...query, sender: ACCOUNTS[account].address }
  const key = attributed ? ('individual' as const) : null
  const requestedAtMs = environment.clock.nowMs()
  const built = await observeBuild(context, client, body, { mustBe: 'served' }, { key })
  const { verdicts, route, build } = judgeBuild(built.observation)
  noteExchange(built.answer.exchange)
  assertVerdicts(verdicts, route?.engine)
  const { swap } = built.observation.request
  if (build === null || swap === null)
    throw new PromiseBrokenError(
      'build.response.route',
      'a complete build',
      built.answer.exchange.response.body,
    )

  const executed = await executeBuild(control, account, swap.facts, build, { states: context.states })
  const { settlement } = judgeBuild({ ...built.observation, execution: executed.observed })
  assertVerdicts(settlement, build.engine)

  const sender = ACCOUNTS[account].address
  const received = executed.observed.changes.find(
    ({ holder, token }) => holder === sender && token === swap.facts.tokenOut.address,
  )
  const lived = {
    build,
    receivedRaw: received?.raw ?? 0n,
    minimumRaw: decodeSwap(build.tx.data)?.minimumOutRaw ?? 0n,
    feeRaw: swap.facts.feeRaw,
  }
  if (build.attribution === null) return lived
  await control.mine(SURELY_DEEP - 1)
  const reports = new Reports(environment)
  reports.add(build, sender, by, requestedAtMs)
  await reports.recorded(build, executed.swap.hash, 'confirm.recorded')
  return lived
}
