import { ACCOUNTS } from '../../src/fixtures/accounts.ts'
import { decodeSwap, factsOf, type SwapParameters } from '../../src/oracles/index.ts'
import type { Case } from '../../src/runner/cases/case.ts'
import { sendSwap } from '../../src/runner/executeBuild.ts'
import { readBalances } from '../../src/sandbox/balances.ts'
import { VENUE_IDS, type VenueId } from '../../src/spec/venues.ts'
import { assert } from '../support/expect.ts'
import { EVERYWHERE, execute, prepareMined, someBuild } from '../support/swaps.ts'

/** Venues whose permits are tested if the service uses permits there; it may choose approvals. */
const WITH_PERMIT: ReadonlySet<VenueId> = new Set<VenueId>(['venue_b', 'venue_e'])

/** Following a build's approval works: the same transaction reverts without the approval and succeeds with it (§4.2 rule 4). */
const approvals: readonly Case<'control'>[] = VENUE_IDS.map((preferEngine) => ({
  id: `build.approval.${preferEngine}`,
  title: `${preferEngine}: the swap reverts without the approval or permit, and goes through with it`,
  requirements: [
    ...(WITH_PERMIT.has(preferEngine)
      ? (['build.approval.permit2', 'build.approval.first'] as const)
      : (['build.approval.first', 'build.approval.permit2'] as const)),
    'tx.permit2.flag',
    'tx.allowance-target.spender',
    'tx.permit2.allowance-target',
  ],
  uses: ['control'],
  run: async (environment) => {
    const ask = { ...EVERYWHERE, preferEngine }
    const build = await someBuild(environment, 'dave', ask)
    const needed = decodeSwap(build.tx.data)?.usePermit2 ?? build.tx.permit2
    assert('tx.permit2.flag', build.tx.permit2 === needed, `${needed}`, build.tx.permit2)
    const requirement = needed ? 'build.approval.permit2' : 'build.approval.first'
    const without = await execute(environment, 'dave', build)
    assert(requirement, !without.receipt.success, 'a revert without the approval', 'success')
    await prepareMined(environment, 'dave', ask, build)
    const { receipt } = await execute(environment, 'dave', build)
    assert(requirement, receipt.success, 'success with the approval', 'a revert')
    if (WITH_PERMIT.has(preferEngine) && !needed)
      return { exercised: 0, notApplicable: `${preferEngine} takes an approval instead of a permit` }
    return { exercised: 1, notes: [build.tx.permit2 ? 'permit' : 'approve'] }
  },
}))

const FROM_ETH = { from: 'ETH', amount: 0.5 } as const
/** Swaps with a fee transfer, of the native coin and of a token. */
const SKIPPED: Readonly<Record<string, SwapParameters>> = {
  venue_c: { ...FROM_ETH, to: 'USDG', preferEngine: 'venue_c' },
  venue_d: { ...FROM_ETH, to: 'LSETH', preferEngine: 'venue_d' },
  'venue_c.erc20': { ...EVERYWHERE, preferEngine: 'venue_c' },
  'venue_d.erc20': { ...EVERYWHERE, preferEngine: 'venue_d' },
}

/** Leaving out the fee transfer costs the partner its fee and nothing else (§4.2 rule 5). */
const skipped: readonly Case<'control'>[] = Object.entries(SKIPPED).map(([name, swapped]) => ({
  id: `build.fee-transfer.skipped.${name}`,
  title: `${name}: without the fee transfer the swap of ${swapped.from} goes through, and no fee is paid`,
  requirements: [
    'build.fee-transfer.skippable',
    'build.fee-transfer.skipped-uncollected',
    // None of these applies where no venue has a fee transfer.
    ...(['build.fee-transfer.sum', 'fee-transfer.to'] as const),
    ...(['fee-transfer.token', 'fee-transfer.amount-raw'] as const),
  ],
  uses: ['control'],
  run: async (environment) => {
    const recipient = ACCOUNTS.partnerOne.address
    const ask = { ...swapped, partnerFeeBps: 50, partnerFeeRecipient: recipient }
    const { tokenIn } = factsOf(environment.manifest, ask)
    const build = await someBuild(environment, 'alice', ask)
    if (build.feeTransfer === null)
      return { exercised: 0, notApplicable: 'the fee is paid by the swap itself: there is no fee transfer' }
    await prepareMined(environment, 'alice', ask, { ...build, feeTransfer: null })
    const holders = [environment.manifest.feeWallet, recipient]
    const read = () =>
      readBalances(
        environment.control.sandbox.rpc,
        holders.map((holder) => ({ holder, token: tokenIn.address })),
      )
    const before = await read()
    const swap = await sendSwap(environment.control, 'alice', build)
    await environment.control.mine()
    const receipt = await environment.control.sandbox.chain.receipt(swap.hash)
    assert('build.fee-transfer.skippable', receipt?.success === true, 'success', 'a revert')
    const after = await read()
    const unchanged = after.every((balance, index) => balance === before[index])
    assert('build.fee-transfer.skipped-uncollected', unchanged, `${before}`, `${after}`)
    return { exercised: 1 }
  },
}))

export const approvalCases: readonly Case[] = [...approvals, ...skipped]
