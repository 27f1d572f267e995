import { ACCOUNTS } from '../../src/fixtures/accounts.ts'
import { PARTNER_KEYS } from '../../src/fixtures/partners.ts'
import { judgeBuildEngine } from '../../src/oracles/buildEngine.ts'
import { judgeCalldata } from '../../src/oracles/calldata.ts'
import { judgeFeeEnvelope } from '../../src/oracles/envelope.ts'
import { judgeFeeTransfer } from '../../src/oracles/feeTransfer.ts'
import { judgeHops } from '../../src/oracles/hops.ts'
import { judgeQuoteVsModel, type ModelAnswer } from '../../src/oracles/quoteVsModel.ts'
import { judgeRanking } from '../../src/oracles/ranking.ts'
import { judgeRoute } from '../../src/oracles/route.ts'
import { judgeTx } from '../../src/oracles/tx.ts'
import { judge, type Verdict } from '../../src/oracles/verdict.ts'
import { judgeValidUntil } from '../../src/oracles/window.ts'
import { readBalances } from '../../src/sandbox/balances.ts'
import type { VenueId } from '../../src/spec/venues.ts'
import { type BuildResponse, buildResponseSchema } from '../../src/spec/wire.ts'
import type { Answer } from '../../src/targets/client.ts'
import type { Environment, KeyName, With } from '../../src/targets/environment.ts'
import type { VenueStates } from '../../src/venues-mock/state/venues.ts'
import { type Ask, type PEOPLE, type Worked, workOut } from '../ask.ts'
import { askable, isLeftOpen, keyOrFirst } from '../fair.ts'
import type { PoolSetup } from '../pools.ts'
import { isUnmodelled, modelAnswers, type SeenQuote, seeQuote } from '../quote/seen.ts'
import type { Execution } from './execute.ts'

/** A build with everything that is known about it before it is executed. */
export interface SeenBuild extends Worked {
  readonly sender: (typeof PEOPLE)[number]
  readonly key: KeyName
  readonly states: VenueStates
  /** What a quote of the same swap says in the same block, with no sender to judge by. */
  readonly quote: SeenQuote
  /** Whether the specification does not say what is to become of the request: nothing is judged then. */
  readonly open: boolean
  /** Whether the sender holds what it sells. */
  readonly funded: boolean
  readonly answer: Answer
  readonly build: BuildResponse | null
  readonly verdicts: readonly Verdict[]
  /** Null: not executed. */
  readonly execution: Execution | null
}

/** Asks for a quote, then for a build, and judges what can be judged without executing it. */
export async function seeBuild(
  environment: With<'control'>,
  market: PoolSetup,
  states: VenueStates,
  given: Ask,
  key: KeyName,
): Promise<SeenBuild> {
  const { sender = 'alice', ...ask } = askable(environment, given)
  const quote = await seeQuote(
    environment,
    market,
    states,
    ask,
    environment.client(keyOrFirst(environment, key)),
  )
  const worked = workOut(environment.manifest, ask)
  const address = ACCOUNTS[sender].address
  const [heldRaw = 0n] = await readBalances(environment.control.sandbox.rpc, [
    { holder: address, token: worked.facts.tokenIn.address },
  ])
  const askedAtMs = environment.clock.nowMs()
  const answer = await environment
    .client(keyOrFirst(environment, key))
    .build({ ...worked.parameters, sender: address })
  const answeredAtMs = environment.clock.nowMs()
  const parsed = buildResponseSchema.safeParse(answer.json)
  const open = isLeftOpen(environment, worked)
  const build = answer.status === 200 && parsed.success && !open ? parsed.data : null
  const seen = {
    ...worked,
    sender,
    key: keyOrFirst(environment, key),
    states,
    quote,
    open,
    funded: heldRaw >= worked.facts.amountInRaw && !isUnmodelled(ask) && !isBlocked(ask, sender),
    answer,
    build,
    execution: null,
  }
  const status = judge('build.response.route', answer.status !== 200 || parsed.success, {
    expected: 'a complete build',
    seen: answer.exchange.response.body,
  })
  if (open) return { ...seen, verdicts: [] }
  const verdicts = build === null ? [] : judgeBuild(environment, seen, build, { askedAtMs, answeredAtMs })
  return { ...seen, verdicts: [status, ...verdicts] }
}

const isBlocked = (ask: Ask, sender: string): boolean =>
  sender === 'blocked' && (ask.from === 'BLOCKER' || ask.to === 'BLOCKER')

/** The ordinals of the faults that show only in a swap: it reverts, or pays less than was quoted. */
export const SWAP_FAULTS = { reverts: 3, movesAway: 4 } as const

/** Epoch milliseconds, by the clock of the service. */
interface Times {
  readonly askedAtMs: number
  readonly answeredAtMs: number
}

function judgeBuild(
  environment: Environment,
  seen: Omit<SeenBuild, 'verdicts'>,
  build: BuildResponse,
  times: Times,
): readonly Verdict[] {
  const { ask, swap, facts, manifest, states } = seen
  const { route } = build
  const body = build as unknown as Readonly<Record<string, unknown>>
  const venue = manifest.venues.find(({ id }) => id === build.engine)
  const feeTransferRaw = build.feeTransfer === null ? null : BigInt(build.feeTransfer.amountRaw)
  const asked = {
    ...(swap.partnerFeeBps === undefined ? {} : { partnerFeeBps: swap.partnerFeeBps }),
    ...(swap.partnerFeeRecipient === undefined ? {} : { partnerFeeRecipient: swap.partnerFeeRecipient }),
  }
  const models = isUnmodelled(ask) ? new Map<VenueId, ModelAnswer>() : honestModels(environment, seen, states)
  const [tokenIn, tokenOut] = [facts.tokenIn.address, facts.tokenOut.address]
  const toDecimals = facts.tokenOut.decimals
  return [
    ...judgeFeeEnvelope({ endpoint: 'build', body, asked }),
    ...judgeBuildEngine({ engine: build.engine, route, preferEngine: ask.preferEngine ?? null }),
    ...judgeRoute({
      endpoint: 'build',
      route,
      asked: {
        amount: ask.amount,
        ...(ask.slippageBps === undefined ? {} : { slippageBps: ask.slippageBps }),
      },
      fromDecimals: facts.tokenIn.decimals,
      toDecimals,
      totalFeeBps: build.totalFeeBps,
      answeredAtMs: times.askedAtMs,
    }),
    ...judgeHops({ route, from: ask.from, to: ask.to, twins: [['ETH', 'WETH']] }),
    ...judgeRanking({ route, toDecimals, winnerMayBeOverruled: true, outputIsEth: facts.outputIsEth }),
    ...judgeQuoteVsModel({ route, toDecimals, totalFeeBps: build.totalFeeBps, models }),
    ...judgeTx({
      tx: build.tx,
      inputIsNative: facts.inputIsNative,
      amountInRaw: facts.amountInRaw,
      feeTransferRaw: feeTransferRaw ?? 0n,
      approval: venue === undefined ? null : { ...venue.approval, permit2: manifest.permit2 },
    }).verdicts,
    judge('tx.to.contract', venue?.target.toLowerCase() === build.tx.to.toLowerCase(), {
      expected: venue?.target,
      seen: build.tx.to,
    }),
    ...judgeFeeTransfer({
      feeTransfer: build.feeTransfer,
      engine: build.engine,
      feeBps: facts.feeBps,
      amountInRaw: facts.amountInRaw,
      inputIsNative: facts.inputIsNative,
      tokenIn,
      feeWallet: manifest.feeWallet,
    }),
    ...judgeCalldata({
      route,
      tx: build.tx,
      sender: ACCOUNTS[seen.sender].address,
      tokenIn,
      tokenOut,
      toDecimals,
      amountInRaw: facts.amountInRaw,
      feeBps: facts.feeBps,
      partnerFeeRecipient: swap.partnerFeeRecipient ?? null,
      feeTransferRaw,
    }),
    ...judgeAttribution(environment, seen, build, times),
  ]
}

/** The models of the venues that pay what they quote. */
function honestModels(
  environment: Environment,
  worked: Worked,
  states: VenueStates,
): ReadonlyMap<VenueId, ModelAnswer> {
  return new Map(
    [...modelAnswers(environment, worked, states)].filter(
      ([venue]) => states.faults[venue] !== SWAP_FAULTS.movesAway,
    ),
  )
}

function judgeAttribution(
  { capabilities, inside }: Environment,
  { key }: Omit<SeenBuild, 'verdicts'>,
  { attribution, feeTransfer }: BuildResponse,
  times: Times,
): readonly Verdict[] {
  if (!capabilities.has('attribution')) return []
  if (PARTNER_KEYS[key].kind === 'legacy')
    return [judge('auth.legacy-null', attribution === null, { expected: null, seen: attribution })]
  // Only routes of a single transaction are sure to have one.
  if (attribution === null && feeTransfer !== null && inside === null) return []
  if (attribution === null)
    return [judge('auth.individual-attribution', false, { expected: 'an attribution', seen: null })]
  return [
    judge('auth.individual-attribution', true, { expected: 'an attribution', seen: attribution }),
    ...judgeValidUntil({ validUntil: attribution.validUntil, ...times }),
  ]
}
