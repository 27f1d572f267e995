import { encodeFunctionData, erc20Abi, type Hex, maxUint160, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { ACCOUNTS } from '../fixtures/accounts.ts'
import { CANONICAL } from '../fixtures/canonical.ts'
import { useFrontWorld } from '../sandbox/testing/useFrontWorld.ts'
import { LIMITS } from '../spec/limits.ts'
import { settlementAbi } from './generated/Settlement.ts'
import { type FrontWorld, PARTNER } from './testing/frontWorld.ts'

const permit2Abi = parseAbi([
  'struct Details { address token; uint160 amount; uint48 expiration; uint48 nonce; }',
  'struct Single { Details details; address spender; uint256 sigDeadline; }',
  'function permit(address owner, Single single, bytes signature)',
  'error InsufficientAllowance(uint256 amount)',
])

let world: FrontWorld
useFrontWorld((started) => {
  world = started
})

describe('Permit2', () => {
  const permit = async (token: Hex, amount: bigint) => {
    const alice = privateKeyToAccount(ACCOUNTS.alice.privateKey)
    const permitSingle = {
      details: { token, amount, expiration: 2 ** 47, nonce: 0 },
      spender: world.settlement,
      sigDeadline: 2n ** 47n,
    }
    const signature = await alice.signTypedData({
      domain: { name: 'Permit2', chainId: LIMITS.chainId, verifyingContract: CANONICAL.permit2 },
      types: {
        PermitSingle: [
          { name: 'details', type: 'PermitDetails' },
          { name: 'spender', type: 'address' },
          { name: 'sigDeadline', type: 'uint256' },
        ],
        PermitDetails: [
          { name: 'token', type: 'address' },
          { name: 'amount', type: 'uint160' },
          { name: 'expiration', type: 'uint48' },
          { name: 'nonce', type: 'uint48' },
        ],
      },
      primaryType: 'PermitSingle',
      message: permitSingle,
    })
    const data = encodeFunctionData({
      abi: permit2Abi,
      functionName: 'permit',
      args: [alice.address, permitSingle, signature],
    })
    return await world.send(world.trader, { to: CANONICAL.permit2, data })
  }
  const withoutAllowance = async (token: Hex) => {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [world.settlement, 0n] })
    await world.send(world.trader, { to: token, data })
  }

  it.each(['venue_b, WETH in', 'venue_e, native out', 'venue_e, WETH in'])(
    '%s: takes what was signed for, fee included',
    async (name) => {
      const trade = world.trade(name)
      const token = world.token(trade.from)
      await withoutAllowance(token)
      await world.approve(world.trader, token, CANONICAL.permit2)
      expect(await permit(token, trade.amountIn)).toMatchObject({ succeeded: true })
      const feeAmount = trade.amountIn / 1_000n
      const quoted = await world.quote(trade, trade.amountIn - feeAmount)
      const terms = { usePermit2: true, feeAmount, feeRecipient: PARTNER, minimumOut: quoted } as const
      expect(await world.settle(trade, terms)).toMatchObject({
        succeeded: true,
        paid: trade.amountIn,
        fee: feeAmount,
        received: quoted,
      })
      expect(await world.kept()).toBe(0n)
      // The signature was for this much and no more.
      const thrown = await world.revertOf(world.trader, world.swapCall(trade, terms), [...permit2Abi])
      expect(thrown).toEqual({ errorName: 'InsufficientAllowance', args: [0n] })
    },
  )

  it('refuses one base unit more than was signed for', async () => {
    const trade = world.trade('venue_b, WETH in')
    await world.approve(world.trader, CANONICAL.weth, CANONICAL.permit2)
    await permit(CANONICAL.weth, trade.amountIn - 1n)
    const thrown = await world.revertOf(world.trader, world.swapCall(trade, { usePermit2: true }), [
      ...permit2Abi,
    ])
    expect(thrown).toEqual({ errorName: 'InsufficientAllowance', args: [trade.amountIn - 1n] })
  })

  it('refuses amounts that Permit2 cannot hold instead of cutting them', async () => {
    const trade = { ...world.trade('venue_b, WETH in'), amountIn: maxUint160 + 1n }
    const thrown = await world.revertOf(world.trader, world.swapCall(trade, { usePermit2: true }), [
      ...settlementAbi,
    ])
    expect(thrown).toEqual({ errorName: 'AmountTooLarge', args: [maxUint160 + 1n] })
  })
})
