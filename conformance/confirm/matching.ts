import type { Hex } from 'viem'
import type { AccountName } from '../../src/fixtures/accounts.ts'
import { ACCOUNTS } from '../../src/fixtures/accounts.ts'
import { factsOf, type SwapParameters } from '../../src/oracles/index.ts'
import type { Case } from '../../src/runner/cases/case.ts'
import { prepareSwap, sendSwap } from '../../src/runner/executeBuild.ts'
import { DEFAULT_FEES, type TransactionRequest } from '../../src/sandbox/wallet.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'
import { SHIFT_ONE } from '../../src/venues-mock/shift.ts'
import { assume } from '../support/expect.ts'
import { asBuilt, otherByte, otherByteAt, STOP } from '../support/lookalikes.ts'
import { NATIVE_IN, PLAIN, reporting } from '../support/reports.ts'
import { prepareMined } from '../support/swaps.ts'
import { movePrice } from '../support/venues.ts'

type Change = (request: TransactionRequest) => TransactionRequest
const calldata =
  (change: (data: Hex) => Hex): Change =>
  (request) => ({ ...request, data: change(request.data ?? '0x') })
const value =
  (addedRaw: bigint): Change =>
  (request) => ({ ...request, value: (request.value ?? 0n) + addedRaw })

/** Transactions that differ from the build in one field: each is 422, and the build's own swap is recorded afterwards. */
const DIFFERENT: readonly {
  readonly name: string
  readonly requirement: RequirementId
  readonly ask?: SwapParameters
  readonly sender?: AccountName
  /** True if the contracts would revert such a transaction: a 422 for a revert proves nothing, so their code is replaced. */
  readonly targetTakesAnything?: true
  readonly changes: readonly Change[]
}[] = [
  { name: 'sender', requirement: 'confirm.match.sender', sender: 'bob', changes: [(request) => request] },
  {
    name: 'target',
    requirement: 'confirm.match.target',
    changes: [(request) => ({ ...request, to: ACCOUNTS.dave.address })],
  },
  {
    name: 'target-of-a-creation',
    requirement: 'confirm.match.target',
    changes: [(request) => ({ ...request, to: null, data: STOP })],
  },
  {
    name: 'calldata',
    requirement: 'confirm.match.calldata',
    targetTakesAnything: true,
    changes: [
      calldata(otherByte),
      calldata((data) => `${data}00`),
      calldata((data) => data.slice(0, -2) as Hex),
      calldata((data) => data.slice(0, 10) as Hex),
      // Eight bytes from all over: one lies in the minimum of a swap through two tokens.
      ...Array.from({ length: 8 }, (_, index) => calldata(otherByteAt((index + 0.5) / 8))),
    ],
  },
  {
    name: 'value',
    requirement: 'confirm.match.value',
    targetTakesAnything: true,
    changes: [value(1n), value(-1n), value(2n ** 64n)],
  },
  {
    name: 'value-beside-a-token',
    requirement: 'confirm.match.value',
    ask: PLAIN,
    targetTakesAnything: true,
    changes: [value(1n)],
  },
]
const different: readonly Case<'control'>[] = DIFFERENT.map((row) => ({
  id: `confirm.match.${row.name}`,
  title: `a transaction that succeeds with another ${row.name} is 422; the build's own swap is recorded afterwards`,
  requirements: [row.requirement, 'confirm.rejected.mismatched'],
  uses: ['control'],
  run: reporting(async (reports, environment) => {
    const { control } = environment
    const ask = row.ask ?? NATIVE_IN
    const build = await reports.build(ask)
    const wallet = control.wallet(row.sender ?? 'alice')
    const { rpc, chain } = control.sandbox
    const code = await rpc.request<Hex>('eth_getCode', [build.tx.to, 'latest'])
    if (row.targetTakesAnything) await rpc.request('anvil_setCode', [build.tx.to, STOP])
    const sent: Hex[] = []
    for (const change of row.changes) sent.push((await wallet.send(change(asBuilt(build)))).hash)
    await control.mine()
    if (row.targetTakesAnything) await rpc.request('anvil_setCode', [build.tx.to, code])
    for (const hash of sent) {
      const receipt = await chain.receipt(hash)
      assume(receipt?.success === true, `the transaction with another ${row.name} reverted`)
    }
    await control.mine(12)
    for (const hash of sent)
      await reports.rejected(build, hash, row.requirement, 'confirm.rejected.mismatched')
    await prepareMined(environment, 'alice', ask, build)
    await reports.ownRecorded(build)
  }),
}))

/** Fields that may differ in a matching transaction: fees, gas limit, nonce, and the type, which determines how fees are given. */
const FREE: readonly {
  readonly name: string
  readonly requirement: RequirementId
  readonly change: Partial<TransactionRequest>
  /** Number of transactions of the sender before the swap; the nonce of zero has its own row. */
  readonly sentBefore: number
}[] = [
  {
    name: 'gas-price',
    requirement: 'confirm.match.gas-price-free',
    change: { maxFeePerGas: 9_000_000_000n, maxPriorityFeePerGas: 3_000_000_000n },
    sentBefore: 1,
  },
  {
    name: 'gas-limit',
    requirement: 'confirm.match.gas-price-free',
    change: { gas: 5_000_000n },
    sentBefore: 1,
  },
  { name: 'type-0', requirement: 'confirm.match.gas-price-free', change: { type: 'legacy' }, sentBefore: 1 },
  { name: 'type-1', requirement: 'confirm.match.gas-price-free', change: { type: 'eip2930' }, sentBefore: 1 },
  { name: 'nonce', requirement: 'confirm.match.nonce-free', change: {}, sentBefore: 3 },
  // The sender's first transaction on a fresh chain.
  { name: 'nonce-zero', requirement: 'confirm.match.nonce-free', change: {}, sentBefore: 0 },
]
const free: readonly Case<'control'>[] = FREE.map(({ name, requirement, change, sentBefore }) => ({
  id: `confirm.free.${name}`,
  title: `the swap with another ${name} is recorded`,
  requirements: [requirement],
  uses: ['control'],
  run: reporting(async (reports, { control }) => {
    const build = await reports.build(NATIVE_IN)
    const wallet = control.wallet('alice')
    for (let count = 0; count < sentBefore; count += 1)
      await wallet.send({ to: ACCOUNTS.bob.address, value: 1n, gas: 21_000n })
    const swap = await wallet.send({ ...asBuilt(build), ...change })
    await control.mine(13)
    await reports.recorded(build, swap.hash, requirement)
  }),
}))

/** Maximum number of gas prices tried: one transaction hash in sixteen begins with the digit zero. */
const PRICES_MAX = 1_000

/** An account whose address begins with the digit zero; the case funds it. */
const ZERO: AccountName = 'unfunded'

const leadingZeros: Case<'control'> = {
  id: 'confirm.leading-zeros',
  title: 'a swap is recorded whose sender and hash begin with the digit zero',
  requirements: ['confirm.recorded'],
  uses: ['control'],
  run: reporting(async (reports, { control }) => {
    const wallet = control.wallet(ZERO)
    assume(wallet.address.startsWith('0x0'), `the address of ${ZERO} does not begin with 0`)
    await control.wallet('alice').send({ to: wallet.address, value: 10n ** 18n, gas: 21_000n })
    await control.mine()
    const build = await reports.build(NATIVE_IN, 'one', ZERO)
    for (let above = 0n; above < PRICES_MAX; above += 1n) {
      const { rawTransaction, hash } = await wallet.sign({
        ...asBuilt(build),
        maxFeePerGas: DEFAULT_FEES.maxFeePerGas + above,
      })
      if (!hash.startsWith('0x0')) continue
      await control.sandbox.chain.sendRaw(rawTransaction)
      await control.mine(13)
      return reports.recorded(build, hash, 'confirm.recorded')
    }
    assume(false, `no hash of ${PRICES_MAX} begins with 0`)
  }),
}

const reverted: Case<'control'> = {
  id: 'confirm.rejected.reverted',
  title: 'the swap that reverted is 422',
  requirements: ['confirm.rejected.reverted'],
  uses: ['control'],
  run: reporting(async (reports, environment) => {
    const ask = { ...NATIVE_IN, slippageBps: 0 }
    const build = await reports.build(ask)
    const venue = 'venue_a'
    await movePrice(environment, ask, { venue, direction: 'against', shift: SHIFT_ONE / 100n })
    const swap = await sendSwap(environment.control, 'alice', build)
    // What is seen of it in the pool is no outcome.
    await reports.pending(build, swap.hash)
    await environment.control.mine(13)
    await reports.rejected(build, swap.hash, 'confirm.rejected.reverted')
    await movePrice(environment, ask, { venue, direction: 'for', shift: SHIFT_ONE / 10n })
    await reports.ownRecorded(build)
  }),
}

/** Approvals and fee transfers are not the swap (§4.3 rule 3). */
const notTheSwap: readonly Case<'control'>[] = (['approval', 'fee-transfer'] as const).map((which) => {
  const requirement = `confirm.not-the-${which}` as const
  const ask: SwapParameters =
    which === 'approval'
      ? PLAIN
      : {
          ...NATIVE_IN,
          preferEngine: 'venue_c',
          partnerFeeBps: 50,
          partnerFeeRecipient: ACCOUNTS.partnerOne.address,
        }
  return {
    id: requirement,
    title: `the hash of the ${which} is not credited; that of the swap is`,
    requirements: [requirement],
    uses: ['control'],
    run: reporting(async (reports, { manifest, control }) => {
      const asked = await reports.build(ask)
      if (which === 'fee-transfer' && asked.feeTransfer === null) {
        reports.notApplicable = 'the fee is paid by the swap itself: there is no fee transfer'
        return
      }
      const sent = await prepareSwap(control, 'alice', factsOf(manifest, ask).tokenIn.address, asked)
      // A build of two transactions need not be attributed; if it is not, the transfer is reported for one that is.
      const build = asked.attribution === null ? await reports.build(NATIVE_IN) : asked
      const swap = await sendSwap(control, 'alice', build)
      await control.mine(13)
      const other = which === 'approval' ? sent[0] : sent.at(-1)
      assume(other !== undefined, `the build needs no ${which}`)
      await reports.rejected(build, other.hash, requirement)
      await reports.recorded(build, swap.hash)
    }),
  }
})

const replacements: readonly Case<'control'>[] = [true, false].map((matching) => {
  const requirement = matching ? 'confirm.replacement.matching' : 'confirm.replacement.different'
  return {
    id: requirement,
    title: matching
      ? 'a replacement that matches is credited, and the one it replaced stays 202'
      : 'a replacement that differs is 422, and the build can still be credited',
    requirements: [requirement],
    uses: ['control'],
    run: reporting(async (reports, { control }) => {
      const build = await reports.build(NATIVE_IN)
      const wallet = control.wallet('alice')
      const first = await wallet.send(asBuilt(build))
      // A service may track the nonce it saw in the pool, but must credit only the hash that is reported.
      await reports.pending(build, first.hash)
      const data = matching ? (build.tx.data as Hex) : otherByte(build.tx.data)
      const fees = { maxFeePerGas: 4_000_000_000n, maxPriorityFeePerGas: 2_000_000_000n }
      const second = await wallet.sign({ ...asBuilt(build), data, ...fees, nonce: first.nonce })
      await control.sandbox.chain.replaceTransaction(first.hash, second.rawTransaction)
      await control.mine(13)
      if (matching) {
        await reports.pending(build, first.hash, requirement)
        await reports.recorded(build, second.hash, requirement)
      } else {
        await reports.rejected(build, second.hash, requirement)
        await reports.ownRecorded(build, requirement)
      }
    }),
  }
})

/** §4.3 rules 1, 3 and 5: the transaction that counts as the swap of the build. */
export const matchingCases: readonly Case[] = [
  ...different,
  ...free,
  leadingZeros,
  reverted,
  ...notTheSwap,
  ...replacements,
]
