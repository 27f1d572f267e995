import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { ACCOUNTS, type AccountName } from '../../src/fixtures/accounts.ts'
import { type Variant, variant } from '../../src/runner/proof/variant.ts'
import {
  around,
  type Candidate,
  ChainUnavailableError,
  createBuilder,
  createQuoter,
  NoExecutableRouteError,
  rank,
} from '../../src/service/testing.ts'
import { callChain, changeManifest } from '../defects/helpers/ports.ts'
import { changeBuild, changeOrder, changeRanking, changeSettling } from '../defects/helpers/rules.ts'
import { paysNative, paysToken, simulatedWithout } from '../defects/helpers/settlements.ts'
import { skimming } from '../defects/helpers/skimming.ts'
import { isDirect } from '../defects/helpers/values.ts'
import {
  answerOf,
  changeResponse,
  changeRoute,
  type Fields,
  isFor,
  jsonOf,
  wrapService,
} from '../defects/helpers/wire.ts'
import { believed } from '../defects/settling.ts'

/** Returns true if a build is refused for one of the five conditions that §7 lists for 400. */
const isListed = (error: string, { slippageBps = 0 }: Fields) =>
  /^body: |0x address|^sender: |partnerFeeRecipient: is required/.test(error) ||
  !Number.isInteger(slippageBps)

/** The settlement contract accepts an ERC-20 either way; the service chooses for each venue. */
const takenBy = (kind: 'erc20' | 'permit2') =>
  changeManifest((manifest) => ({
    ...manifest,
    venues: manifest.venues.map((venue) =>
      isDirect(venue.id) ? venue : { ...venue, approval: { ...venue.approval, kind } },
    ),
  }))

/** More than any swap needs: the remainder of an unlimited approval. */
const ENOUGH = 2n ** 255n

const digitsOf = (account: AccountName) => ACCOUNTS[account].address.slice(2).toLowerCase()

/** Other ways to build, where the specification leaves a choice. */
export const buildVariants: readonly Variant[] = [
  variant(
    'forced-silence-is-no-route',
    'a build that forces a venue which never responds, on a chain that does, is 422',
    ['build.upstream-failure', 'build.no-executable-route.body'],
    changeBuild((build, deps) => async (request, caller) => {
      try {
        return await build(request, caller)
      } catch (error) {
        if (!(error instanceof ChainUnavailableError) || request.preferEngine === null) throw error
        await callChain(deps, 'eth_blockNumber')
        throw new NoExecutableRouteError({ [request.preferEngine]: 'it does not respond' })
      }
    }),
  ),
  variant(
    'approval-only-where-needed',
    'allowanceTarget is null where what the sender approved before is enough',
    ['tx.allowance-target.spender', 'build.approval.first'],
    changeBuild((build, deps) => async (request, caller) => {
      const response = await build(request, caller)
      const { tx } = response
      const token =
        request.fromAddress ?? deps.manifest.registry.find(({ symbol }) => symbol === request.from)?.address
      if (tx.allowanceTarget === null || tx.permit2 || token === undefined) return response
      const args = [request.sender, tx.allowanceTarget as Hex] as const
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args })
      const allowance = await callChain(deps, 'eth_call', { to: token, data }, 'latest')
      const isEnough = allowance !== null && BigInt(`${allowance}`) >= ENOUGH
      return isEnough ? { ...response, tx: { ...tx, allowanceTarget: null } } : response
    }),
  ),
  variant(
    'gas-as-simulated',
    'a build ranks anew by the gas of its simulation, which is twice that of the quote at venue_e',
    ['build.falls-through', 'route.network-fee.estimate', 'alternatives.winner-first'],
    changeRanking((ranked) => {
      const twice = ({ gasWei, gasCostRaw }: Candidate) => ({
        gasWei: gasWei * 2n,
        gasCostRaw: gasCostRaw * 2n,
      })
      return rank(ranked.map((each) => (each.venue.id === 'venue_e' ? { ...each, ...twice(each) } : each)))
    }, 'build'),
  ),
  variant(
    'build-errors-422',
    'invalid input of a build is 422, with a text of its own, except where §7 lists it for 400',
    ['build.from.required', 'build.slippage.range', 'build.unknown-token.required', 'limits.symbol'],
    changeResponse('build', 400, (answer, fields) => {
      const { error } = jsonOf(answer)
      return isListed(error, fields) ? answer : answerOf(422, { error: 'unprocessable', problems: [error] })
    }),
  ),
  variant(
    'holdings-do-not-count',
    'a build is simulated as if the sender held the input',
    ['build.simulation.fee-transfer', 'build.response.route', 'build.no-executable-route.body'],
    changeBuild((build) => async (request, caller) => {
      const own = await build(request, caller).catch((error: unknown) => {
        const isPoor = request.sender === ACCOUNTS.unfunded.address
        if (!isPoor || !(error instanceof NoExecutableRouteError)) throw error
        return null
      })
      if (own !== null) return own
      const built = await build({ ...request, sender: ACCOUNTS.alice.address }, caller)
      const data = built.tx.data.replace(digitsOf('alice'), digitsOf('unfunded'))
      return { ...built, tx: { ...built.tx, data } }
    }),
  ),
  variant(
    'swap-simulated-alone',
    'a build simulates the swap without the fee transfer before it, with what the sender really holds',
    ['build.simulation.fee-transfer', 'build.fee-transfer.skippable', 'build.fee-transfer.sum'],
    simulatedWithout((call) => paysToken(call) || paysNative(call)),
  ),
  variant(
    'fee-to-the-wallet',
    'the fee inside a swap goes to the fee wallet, which pays the partner later',
    ['build.fee-inside-tx', 'fees.only-partner', 'fees.total.baked-in'],
    changeSettling((order, { deps }, settle) =>
      settle(order.feeRaw === 0n ? order : { ...order, feeRecipient: deps.manifest.feeWallet }),
    ),
  ),
  variant(
    'approvals-only',
    'every venue takes an ERC-20 by an approval, none by a permit',
    ['tx.permit2.flag', 'build.approval.permit2', 'build.approval.first', 'tx.allowance-target.spender'],
    takenBy('erc20'),
  ),
  variant(
    'permits-everywhere',
    'every venue that goes through the settlement contract takes an ERC-20 by a permit',
    ['tx.permit2.flag', 'build.approval.permit2', 'build.approval.first', 'tx.permit2.allowance-target'],
    takenBy('permit2'),
  ),
  variant(
    'fee-paid-by-the-swap',
    'venue_c and venue_d pay the fee to the partner in the same transaction, so feeTransfer is null',
    ['build.fee-transfer.venues', 'build.fee-inside-tx', 'build.fee-transfer.skippable'],
    changeSettling((order, { deps, engine }, settle) => {
      const settlement = settle(order)
      return isDirect(engine) && settlement.feeTransfer !== null
        ? skimming(settlement, order, deps.manifest)
        : settlement
    }),
  ),
  variant(
    'one-build-for-requests-in-flight',
    'requests for the same build that are under way at the same time share one response',
    ['build.never-cached', 'attribution.build-id'],
    wrapService((inject) => {
      const underWay = new Map<string, ReturnType<typeof inject>>()
      return (request) => {
        if (!isFor('build', request)) return inject(request)
        const key = JSON.stringify([request.headers, request.payload])
        const shared = underWay.get(key) ?? inject(request).finally(() => underWay.delete(key))
        underWay.set(key, shared)
        return shared
      }
    }),
  ),
  variant(
    'window-from-the-head',
    'the window begins at the time of the last block',
    ['attribution.valid-until.window', 'confirm.window.executes-within', 'limits.attribution-window'],
    changeBuild((_build, deps) => async (request, caller) => {
      const head = await callChain(deps, 'eth_getBlockByNumber', 'latest', false)
      if (head === null) throw new ChainUnavailableError('the head cannot be read')
      const headMs = Number((head as { readonly timestamp: string }).timestamp) * 1_000
      const clock: typeof deps.clock = Object.assign(Object.create(deps.clock), { nowMs: () => headMs })
      const built = await createBuilder({ ...deps, clock }, createQuoter(deps)).build(request, caller)
      const expiresAt = deps.clock.nowMs() + deps.policy.quoteTtlMs
      return { ...built, route: { ...built.route, expiresAt } }
    }),
  ),
  variant(
    'simulated-for-reverts-alone',
    'the amounts of a build are those of the quote as long as the minimum is delivered',
    ['build.requotes.delivered'],
    believed(() => true),
  ),
  variant(
    'minimum-rounded-up',
    'a minimum between two base units is rounded up in the calldata; the number of USDG is so too, any other is cut',
    ['tx.data.minimum', 'route.minimum-received.floor', 'route.minimum-received.on-chain'],
    around(
      changeOrder((order, { amountOutRaw, priced }) => {
        const isWhole = (amountOutRaw * BigInt(priced.request.slippageBps)) % 10_000n === 0n
        return isWhole ? order : { ...order, minimumRaw: order.minimumRaw + 1n }
      }),
      changeRoute((route) => {
        if (route.hops.at(-1)?.to !== 'USDG') return
        const keptRaw = Math.round(route.amountOut * 1e6) * (10_000 - route.slippageBps)
        route.minimumReceived = Math.ceil(keptRaw / 10_000) / 1e6
      }),
    ),
  ),
]
