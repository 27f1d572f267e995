import { bodyOf, type SwapAsk } from '../../src/oracles/index.ts'
import type { Case } from '../../src/runner/case.ts'
import type { BuildResponse } from '../../src/spec/wire.ts'
import type { Environment, KeyName } from '../../src/targets/environment.ts'
import { insist, note, sightOf } from '../support/expect.ts'
import { NATIVE_IN, PLAIN, type Reports, reporting } from '../support/reports.ts'

/** The report of one key, as the reference serves it (§4.3 rule 8; where it is served is not shown). */
interface Figures {
  readonly confirmedSwaps: number
  readonly lastConfirmationAt: number | null
  readonly estimatedInputUsd: number
  readonly pricedSwaps: number
  readonly unpricedSwaps: number
}

const PATH = '/api/v1/partner/report'

async function figuresOf(environment: Environment, key: KeyName): Promise<Figures> {
  const answer = await environment.client(key).send({
    method: 'GET',
    path: PATH,
    headers: { authorization: `Bearer ${environment.secret(key)}` },
    body: null,
  })
  // Where the report is served is open; a target that declares it and serves it elsewhere declares too much.
  insist('partner-report.figures', answer.status === 200, `200 at ${PATH}`, sightOf(answer))
  note('partner-report.endpoint', { path: PATH, fields: Object.keys(bodyOf(answer)) })
  return bodyOf(answer) as unknown as Figures
}

/** What was added to the totals of a key since `before`. The time is that of now. */
async function addedSince(environment: Environment, key: KeyName, before: Figures): Promise<Figures> {
  const now = await figuresOf(environment, key)
  return {
    confirmedSwaps: now.confirmedSwaps - before.confirmedSwaps,
    lastConfirmationAt: now.lastConfirmationAt,
    estimatedInputUsd: now.estimatedInputUsd - before.estimatedInputUsd,
    pricedSwaps: now.pricedSwaps - before.pricedSwaps,
    unpricedSwaps: now.unpricedSwaps - before.unpricedSwaps,
  }
}

/** A swap from build to record, with one of the keys. */
async function confirmedSwap(reports: Reports, ask: SwapAsk, key: KeyName = 'one'): Promise<BuildResponse> {
  const { build, swap } = await reports.deepSwap(ask, key)
  await reports.recorded(build, swap.hash)
  return build
}

const figures: Case<'control'> = {
  id: 'partner-report.figures',
  title:
    'two confirmed swaps: their count, the USD value of their inputs, the time of the last; a repeat adds nothing',
  requirements: [
    'partner-report.figures',
    'confirm.repeat.safe',
    'partner-report.server-prices',
    'partner-report.endpoint',
  ],
  uses: ['control'],
  run: reporting(async (reports, environment) => {
    const before = await figuresOf(environment, 'one')
    await confirmedSwap(reports, NATIVE_IN)
    const { build, swap } = await reports.deepSwap()
    const reportedAtMs = environment.clock.nowMs()
    await reports.recorded(build, swap.hash)
    const recordedAtMs = environment.clock.nowMs()
    await environment.control.mine()
    await reports.recorded(build, swap.hash, 'confirm.repeat.safe')
    const added = await addedSince(environment, 'one', before)
    // 0.5 ETH at 2,500 USD and 1,234.56 USDG at 1 USD.
    const worth = 0.5 * 2_500 + 1_234.56
    const near = Math.abs(added.estimatedInputUsd - worth) < 0.01
    insist('partner-report.figures', added.confirmedSwaps === 2, '2 more swaps', added)
    insist('partner-report.figures', near, `${worth} USD more`, added)
    insist('partner-report.server-prices', near, `${worth} USD more`, added)
    const at = added.lastConfirmationAt ?? 0
    const during = reportedAtMs <= at && at <= recordedAtMs
    insist('partner-report.figures', during, `${reportedAtMs} to ${recordedAtMs}`, added)
    const priced = added.pricedSwaps === 2 && added.unpricedSwaps === 0
    insist('partner-report.figures', priced, 'both priced', added)
  }),
}

const serverPrices: Case<'control'> = {
  id: 'partner-report.server-prices',
  title: "absurd marks of the caller do not change the notional, which uses the server's prices",
  requirements: ['partner-report.server-prices'],
  uses: ['control'],
  run: reporting(async (reports, environment) => {
    const before = await figuresOf(environment, 'one')
    await confirmedSwap(reports, { ...PLAIN, fromPriceUsd: 1_000_000, toPriceUsd: 1_000_000 })
    const { estimatedInputUsd } = await addedSince(environment, 'one', before)
    const near = Math.abs(estimatedInputUsd - PLAIN.amount) < 0.01
    insist('partner-report.server-prices', near, `${PLAIN.amount} USD more`, estimatedInputUsd)
  }),
}

const unpriced: Case<'control'> = {
  id: 'partner-report.unpriced',
  title:
    'a confirmed swap of a token without a price is counted separately and adds no USD value, whatever its marks',
  requirements: ['partner-report.unpriced', 'partner-report.server-prices'],
  uses: ['control'],
  run: reporting(async (reports, environment) => {
    const before = await figuresOf(environment, 'one')
    const ask = { from: 'EIGHTEEN', to: 'WETH', amount: 100, preferEngine: 'venue_a' } as const
    await confirmedSwap(reports, { ...ask, fromPriceUsd: 5, toPriceUsd: 5 })
    const added = await addedSince(environment, 'one', before)
    const apart = added.confirmedSwaps === 1 && added.unpricedSwaps === 1 && added.estimatedInputUsd === 0
    insist('partner-report.unpriced', apart, '1 swap, 1 unpriced, 0 USD more', added)
  }),
}

const onlyReported: Case<'control'> = {
  id: 'partner-report.only-reported',
  title: 'a swap that was built and executed adds nothing until it is reported',
  requirements: ['partner-report.only-reported'],
  uses: ['control'],
  run: reporting(async (reports, environment) => {
    const start = await figuresOf(environment, 'one')
    const { build, swap } = await reports.swap(PLAIN)
    await environment.control.mine(20)
    const before = await addedSince(environment, 'one', start)
    insist('partner-report.only-reported', before.confirmedSwaps === 0, 'no swap more', before)
    await reports.recorded(build, swap.hash)
    const after = await addedSince(environment, 'one', start)
    insist('partner-report.only-reported', after.confirmedSwaps === 1, '1 swap more once reported', after)
  }),
}

const perKey: Case<'control'> = {
  id: 'partner-report.per-key',
  title: 'a swap confirmed with one key adds nothing to the totals of another',
  requirements: ['partner-report.per-key'],
  uses: ['control'],
  run: reporting(async (reports, environment) => {
    const [ownBefore, otherBefore] = [
      await figuresOf(environment, 'one'),
      await figuresOf(environment, 'two'),
    ]
    await confirmedSwap(reports, PLAIN)
    const own = await addedSince(environment, 'one', ownBefore)
    const other = await addedSince(environment, 'two', otherBefore)
    insist('partner-report.per-key', own.confirmedSwaps === 1, '1 swap of its own', own)
    const same = other.confirmedSwaps === 0 && other.estimatedInputUsd === 0
    insist('partner-report.per-key', same, 'nothing for the other key', other)
  }),
}

const replacedKey: Case<'control' | 'spareKeys' | 'revokeKey'> = {
  id: 'partner-report.replaced-key',
  title: 'a replaced key: the new key has its own totals, and no key can report the builds of the old one',
  requirements: ['partner-report.replaced-key', 'auth.build-of-active-key', 'auth.confirm.same-key'],
  uses: ['control', 'spareKeys', 'revokeKey'],
  run: reporting(async (reports, environment) => {
    await environment.outlastBudget()
    const fresh = await figuresOf(environment, 'successor')
    const twin = await confirmedSwap(reports, PLAIN, 'retiring')
    const own = await addedSince(environment, 'successor', fresh)
    insist('partner-report.replaced-key', own.confirmedSwaps === 0, 'nothing for the new key', own)
    const { build, swap } = await reports.deepSwap(PLAIN, 'retiring')
    await reports.send(build, swap.hash, { by: 'successor', clauses: ['auth.confirm.same-key'], twin })

    await environment.revokeKey('retiring')
    const clauses = ['auth.build-of-active-key'] as const
    await reports.send(build, swap.hash, { key: 'revoked', clauses, twin })
    await reports.send(build, swap.hash, { by: 'successor', clauses, twin })
    await confirmedSwap(reports, PLAIN, 'successor')
    const later = await addedSince(environment, 'successor', fresh)
    insist('partner-report.replaced-key', later.confirmedSwaps === 1, '1 swap of the new key', later)
  }),
}

/** §4.3 rule 8, §5: what belongs to a key, and what to its partner. */
export const partnerCases: readonly Case[] = [
  figures,
  serverPrices,
  unpriced,
  onlyReported,
  perKey,
  replacedKey,
]
