import type { Hex } from 'viem'
import { ACCOUNTS } from '../../src/fixtures/accounts.ts'
import { factsOf } from '../../src/oracles/index.ts'
import type { Case } from '../../src/runner/cases/case.ts'
import { prepareSwap } from '../../src/runner/executeBuild.ts'
import { VENUE_IDS } from '../../src/spec/venues.ts'
import type { BuildResponse } from '../../src/spec/wire.ts'
import { assert, assume, assumeServed } from '../support/expect.ts'
import { asBuilt, otherByte, STOP } from '../support/lookalikes.ts'
import { PLAIN, reporting, UNKNOWN_HASH, windowEndS } from '../support/reports.ts'
import { execute } from '../support/swaps.ts'
import { PAIRS, SIDES } from './rows.ts'

/** The code of a contract that refuses whatever it is called with. */
const REVERT: Hex = '0x60006000fd'
const FEE = { partnerFeeBps: 50, partnerFeeRecipient: ACCOUNTS.partnerOne.address }

/**
 * Everything that can be reported for a build, in one life of a service that was used before: under another key, refused,
 * and while the chain was gone. Each venue has another side and fee.
 */
export const warmedUpReportCases: readonly Case<'control' | 'line'>[] = VENUE_IDS.map((venue, index) => ({
  id: `confirm.warmed-up.${venue}`,
  title: `after other reports, refusals and an outage, each report of a swap on ${venue} is judged alike`,
  requirements: ['confirm.records', 'confirm.recorded', 'confirm.rejected.mismatched'],
  uses: ['control', 'line'],
  busyS: 1.2,
  run: reporting(async (reports, environment) => {
    const { control, manifest, line } = environment
    const { rpc } = control.sandbox
    const side = SIDES[(index + 1) % SIDES.length] ?? 'erc20'
    const ask = {
      ...PAIRS[side](venue),
      ...{ preferEngine: venue, slippageBps: 500 },
      ...(index % 2 === 0 ? {} : FEE),
    }
    const sendAs = async (
      code: Hex,
      { tx }: BuildResponse,
      sending: () => Promise<readonly Hex[]>,
      mine: () => Promise<unknown> = () => control.mine(),
    ) => {
      const before = await rpc.request<Hex>('eth_getCode', [tx.to, 'latest'])
      await rpc.request('anvil_setCode', [tx.to, code])
      const hashes = await sending()
      await mine()
      await rpc.request('anvil_setCode', [tx.to, before])
      return hashes
    }

    const stranger = environment.clientWithSecret(`${environment.secret('one')}x`)
    const other = await reports.deepSwap(PLAIN)
    await reports.recorded(other.build, other.swap.hash)
    const build = await reports.build(ask, 'two')
    if (build.attribution === null) return
    await line.inject('down')
    await reports.send(build, UNKNOWN_HASH, { verification: 'unavailable', clauses: ['confirm.unavailable'] })
    await line.restore()
    await reports.pending(build, UNKNOWN_HASH, 'confirm.not-found')

    const alice = control.wallet('alice')
    const request = asBuilt(build)
    const lookalikes = await sendAs(STOP, build, async () => [
      (await alice.send({ ...request, data: otherByte(build.tx.data) })).hash,
      (await alice.send({ ...request, value: (request.value ?? 0n) + 1n })).hash,
      (await alice.send({ ...request, to: ACCOUNTS.dave.address })).hash,
      (await control.wallet('bob').send(request)).hash,
    ])
    const reverted = await sendAs(REVERT, build, async () => [(await alice.send(request)).hash])
    await control.mine(12)
    for (const hash of lookalikes) await reports.rejected(build, hash, 'confirm.rejected.mismatched')
    for (const hash of reverted) await reports.rejected(build, hash, 'confirm.rejected.reverted')

    await prepareSwap(control, 'alice', factsOf(manifest, ask).tokenIn.address, build)
    await control.mine()
    const { swap, receipt } = await execute(environment, 'alice', build)
    assert('build.sender.submits', receipt.success, `a swap on ${venue} that goes through`, 'it reverted')
    await reports.pending(build, swap.hash, 'confirm.depth.twelve')
    const unreported = await reports.build(ask, 'two')
    await prepareSwap(control, 'alice', factsOf(manifest, ask).tokenIn.address, unreported)
    const { swap: younger, receipt: mined } = await execute(environment, 'alice', unreported)
    assumeServed(mined.success, 'the swap of its second build reverts')
    await control.mine(9)
    await reports.pending(build, swap.hash, 'confirm.depth.twelve')
    await control.mine()
    await reports.pending(unreported, younger.hash, 'confirm.depth.twelve')
    await control.mine()
    await reports.send(build, swap.hash, { by: 'one', clauses: ['confirm.build-not-found'] })
    await line.inject('down')
    await reports.send(build, swap.hash, { verification: 'unavailable', clauses: ['confirm.unavailable'] })
    await line.restore()
    const { buildId } = build.attribution
    const byStranger = {
      key: 'invalid',
      clauses: ['confirm.unauthorized'],
      send: () => stranger.confirm({ buildId, txHash: swap.hash }),
    } as const
    await reports.send(build, swap.hash, byStranger)
    await reports.recorded(build, swap.hash, 'confirm.records')
    await reports.send(build, swap.hash, byStranger)
    await reports.recorded(build, swap.hash, 'confirm.repeat.safe')
    const again = await sendAs(STOP, build, async () => [(await alice.send(request)).hash])
    await control.mine(12)
    for (const hash of again) await reports.conflicting(build, hash, 'confirm.conflict.build')
    for (const hash of lookalikes) await reports.send(build, hash)
    await reports.send(await reports.build(ask, 'two'), swap.hash, { twin: build })
    await environment.outlastBudget()
    const cut = { malformed: 'tx-hash', clauses: ['confirm.bad-request.tx-hash'], twin: build } as const
    await reports.send(build, swap.hash.slice(0, -2), cut)
    await reports.send(await reports.build(ask, 'two'), swap.hash.slice(0, -2), cut)
    // Each as the first report of a build: what is remembered of earlier ones decides nothing.
    const mismatched = { mustBe: 'rejected', clauses: ['confirm.rejected.mismatched'], twin: build } as const
    for (const hash of lookalikes) await reports.send(await reports.build(ask, 'two'), hash, mismatched)
    await environment.outlastBudget()

    const [inTime, late] = [await reports.build(ask, 'two'), await reports.build(ask, 'two')]
    const sendOwn = async (own: BuildResponse) => [(await alice.send(asBuilt(own))).hash]
    // By the chain's clock alone where time is real: nobody waits for the end of a window.
    const inTimeS = windowEndS(inTime) - 20
    const before = await sendAs(
      STOP,
      inTime,
      () => sendOwn(inTime),
      () => control.mineAt(inTimeS),
    )
    const lateS = windowEndS(late) + 10
    const [afterwards] = await sendAs(
      STOP,
      late,
      () => sendOwn(late),
      () => control.mineAt(lateS),
    )
    for (let block = 1; block <= 12; block += 1) await control.mineAt(lateS + block)
    // Where an earlier report was pending, the window is the same.
    if (index % 2 === 1)
      for (const own of [inTime, late]) await reports.pending(own, UNKNOWN_HASH, 'confirm.not-found')
    for (const hash of before) await reports.recorded(inTime, hash, 'confirm.window.executes-within')
    assume(afterwards !== undefined, 'nothing was sent after the window')
    const clauses = ['confirm.rejected.outside-window'] as const
    await reports.send(late, afterwards, { mustBe: 'rejected', clauses, twin: build })
  }),
}))
