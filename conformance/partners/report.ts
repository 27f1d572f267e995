import { createHash } from 'node:crypto'
import { PARTNER_KEYS } from '../../src/fixtures/partners.ts'
import { createClient } from '../../src/harness/client.ts'
import { prepareSwap, sendSwap } from '../../src/harness/lifecycle.ts'
import type { Check } from '../../src/harness/suite.ts'
import { factsOf, type SwapAsk } from '../../src/harness/swapFacts.ts'
import { inProcessTransport } from '../../src/harness/transports.ts'
import type { World } from '../../src/simulation/world.ts'
import { buildResponseSchema } from '../../src/spec/wire.ts'
import { assume, bodyOf, insist, insistStatus, sightOf } from '../support/expect.ts'
import { buildIdOf, deepSwap, insistRecorded, NATIVE_IN, PLAIN, report } from '../support/reports.ts'
import { bodyFor, someSwap } from '../support/swaps.ts'

/** The report of one key, as the reference serves it (§4.3 rule 8; where it is served is not shown). */
interface Figures {
  readonly confirmedSwaps: number
  readonly lastConfirmationAt: number | null
  readonly estimatedInputUsd: number
  readonly pricedSwaps: number
  readonly unpricedSwaps: number
}
const ONE: string = PARTNER_KEYS.one.secret
const TWO: string = PARTNER_KEYS.two.secret
/** A second key of partner one, put into the service's store as one that was issued. */
const SECOND = {
  keyId: 'key-one-second',
  secret: 'plumbline-test-key-one-second-00000000000000000000000000000',
}

const clientOf = (world: World, secret: string) =>
  createClient(
    inProcessTransport(() => world.app),
    secret,
  )

async function figuresOf(world: World, secret: string): Promise<Figures> {
  const answer = await clientOf(world, secret).send({
    method: 'GET',
    path: '/api/v1/partner/report',
    headers: { authorization: `Bearer ${secret}` },
    body: null,
  })
  assume(answer.status === 200, `no report to read: ${sightOf(answer)}`)
  return bodyOf(answer) as unknown as Figures
}

async function issueSecondKey(world: World): Promise<void> {
  await world.store.insertKey({
    keyId: SECOND.keyId,
    partnerId: PARTNER_KEYS.one.partnerId,
    kind: 'individual',
    secretSha256: createHash('sha256').update(SECOND.secret).digest('hex'),
    createdAtMs: world.clock.nowMs(),
    revokedAtMs: null,
  })
}

/** A swap from build to record, with the key of `secret`. */
async function confirmedSwap(world: World, ask: SwapAsk, secret = ONE): Promise<void> {
  const client = clientOf(world, secret)
  const answer = await client.build(bodyFor(world, 'alice', ask))
  const parsed = buildResponseSchema.safeParse(answer.json)
  assume(answer.status === 200 && parsed.success, `no build to work with: ${sightOf(answer)}`)
  await prepareSwap(world, 'alice', factsOf(world.manifest, ask).tokenIn.address, parsed.data)
  const swap = await sendSwap(world, 'alice', parsed.data)
  await world.mine(13)
  const body = { buildId: buildIdOf(parsed.data), txHash: swap.hash }
  const recorded = await client.confirm(body)
  assume(recorded.status === 200, `the swap was not recorded: ${sightOf(recorded)}`)
}

const figures: Check<World> = {
  id: 'partner-report.figures',
  title:
    'two confirmed swaps: their count, the worth of their inputs, the time of the last; a repeat adds nothing',
  requirements: ['partner-report.figures', 'confirm.repeat.safe', 'partner-report.server-prices'],
  run: async (world) => {
    const nothing = await figuresOf(world, ONE)
    insist('partner-report.figures', nothing.confirmedSwaps === 0, '0 at the start', nothing)
    await confirmedSwap(world, NATIVE_IN)
    const { build, swap } = await deepSwap(world)
    insistRecorded('confirm.recorded', await report(world, build, swap.hash))
    const confirmedAtMs = world.clock.nowMs()
    await world.mine()
    await report(world, build, swap.hash)
    const seen = await figuresOf(world, ONE)
    // 0.5 ETH at 2,500 USD and 1,234.56 USDG at 1 USD.
    const worth = 0.5 * 2_500 + 1_234.56
    insist('partner-report.figures', seen.confirmedSwaps === 2, '2 swaps', seen)
    insist('partner-report.figures', Math.abs(seen.estimatedInputUsd - worth) < 0.01, `${worth} USD`, seen)
    insist('partner-report.figures', seen.lastConfirmationAt === confirmedAtMs, `${confirmedAtMs}`, seen)
    insist('partner-report.figures', seen.pricedSwaps === 2 && seen.unpricedSwaps === 0, 'both priced', seen)
    return { exercised: 2 }
  },
}

const serverPrices: Check<World> = {
  id: 'partner-report.server-prices',
  title: "absurd marks of the caller add the notional of the server's own price",
  requirements: ['partner-report.server-prices'],
  run: async (world) => {
    await confirmedSwap(world, { ...PLAIN, fromPriceUsd: 1_000_000, toPriceUsd: 1_000_000 })
    const { estimatedInputUsd } = await figuresOf(world, ONE)
    const near = Math.abs(estimatedInputUsd - PLAIN.amount) < 0.01
    insist('partner-report.server-prices', near, `${PLAIN.amount} USD`, estimatedInputUsd)
    return { exercised: 1 }
  },
}

const unpriced: Check<World> = {
  id: 'partner-report.unpriced',
  title: 'a confirmed swap of a token without a price is counted apart and adds no worth, whatever its marks',
  requirements: ['partner-report.unpriced', 'partner-report.server-prices'],
  run: async (world) => {
    const ask = { from: 'EIGHTEEN', to: 'WETH', amount: 100, preferEngine: 'venue_a' } as const
    await confirmedSwap(world, { ...ask, fromPriceUsd: 5, toPriceUsd: 5 })
    const seen = await figuresOf(world, ONE)
    const apart = seen.confirmedSwaps === 1 && seen.unpricedSwaps === 1 && seen.estimatedInputUsd === 0
    insist('partner-report.unpriced', apart, '1 swap, 1 unpriced, 0 USD', seen)
    return { exercised: 1 }
  },
}

const onlyReported: Check<World> = {
  id: 'partner-report.only-reported',
  title: 'a swap that was built and executed adds nothing until it is reported',
  requirements: ['partner-report.only-reported'],
  run: async (world) => {
    const { build, swap } = await someSwap(world, 'alice', PLAIN)
    await world.mine(20)
    const before = await figuresOf(world, ONE)
    insist('partner-report.only-reported', before.confirmedSwaps === 0, '0 swaps', before)
    insistRecorded('confirm.recorded', await report(world, build, swap.hash))
    const after = await figuresOf(world, ONE)
    insist('partner-report.only-reported', after.confirmedSwaps === 1, '1 swap once reported', after)
    return { exercised: 1 }
  },
}

const perKey: Check<World> = {
  id: 'partner-report.per-key',
  title: 'a swap confirmed with one key adds nothing to the totals of another',
  requirements: ['partner-report.per-key'],
  run: async (world) => {
    const before = await figuresOf(world, TWO)
    await confirmedSwap(world, PLAIN)
    const [own, other] = [await figuresOf(world, ONE), await figuresOf(world, TWO)]
    insist('partner-report.per-key', own.confirmedSwaps === 1, '1 swap of its own', own)
    const same = other.confirmedSwaps === before.confirmedSwaps && other.estimatedInputUsd === 0
    insist('partner-report.per-key', same, 'nothing for the other key', other)
    return { exercised: 1 }
  },
}

const replacedKey: Check<World> = {
  id: 'partner-report.replaced-key',
  title: "a replaced key: the new one starts at nothing, and the old one's build is nobody's",
  requirements: ['partner-report.replaced-key', 'auth.build-of-active-key', 'auth.confirm.same-key'],
  run: async (world) => {
    await confirmedSwap(world, PLAIN)
    const { build, swap } = await deepSwap(world)
    const body = { buildId: buildIdOf(build), txHash: swap.hash }
    await issueSecondKey(world)
    const fresh = await figuresOf(world, SECOND.secret)
    insist('partner-report.replaced-key', fresh.confirmedSwaps === 0, '0 swaps of the new key', fresh)
    const sibling = await clientOf(world, SECOND.secret).confirm(body)
    insistStatus('auth.confirm.same-key', sibling, 404)

    assume(await world.store.revokeKey(PARTNER_KEYS.one.keyId, world.clock.nowMs()), 'the key is not revoked')
    const revoked = await clientOf(world, ONE).confirm(body)
    const refused = revoked.status === 401 || revoked.status === 404
    insist('auth.build-of-active-key', refused, '401 or 404 with the revoked key', sightOf(revoked))
    insistStatus('auth.build-of-active-key', await clientOf(world, SECOND.secret).confirm(body), 404)
    await confirmedSwap(world, PLAIN, SECOND.secret)
    const own = await figuresOf(world, SECOND.secret)
    insist('partner-report.replaced-key', own.confirmedSwaps === 1, '1 swap of the new key', own)
    return { exercised: 3 }
  },
}

/** One partner, two keys, one budget (§8). */
const sharedBudget: Check<World> = {
  id: 'confirm.budget.shared',
  title: 'spending the budget with one key of a partner empties it for the other',
  requirements: ['confirm.budget.shared'],
  run: async (world) => {
    await issueSecondKey(world)
    const unknown = { buildId: '00000000-0000-4000-8000-000000000000', txHash: `0x${'ab'.repeat(32)}` }
    const twin = await clientOf(world, SECOND.secret).confirm(unknown)
    assume(twin.status !== 429, 'the budget is empty from the start')
    let status = 0
    for (let count = 0; count < 2_000 && status !== 429; count += 1)
      status = (await clientOf(world, ONE).confirm(unknown)).status
    assume(status === 429, 'the budget never ran out')
    insistStatus('confirm.budget.shared', await clientOf(world, SECOND.secret).confirm(unknown), 429)
    return { exercised: 1 }
  },
}

/** §4.3 rule 8, §5: what belongs to a key, and what to its partner. */
export const partnerChecks: readonly Check<World>[] = [
  figures,
  serverPrices,
  unpriced,
  onlyReported,
  perKey,
  replacedKey,
  sharedBudget,
]
