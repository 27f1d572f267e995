import { encodeAbiParameters, encodeFunctionData } from 'viem'
import { describe, expect, it } from 'vitest'
import { decodeFault, encodeSetFault, type VenueFault } from './faults.ts'
import { orderBookVenueAbi } from './generated/OrderBookVenue.ts'

/** The ordinals of `IFaulty.Fault`, counted by hand in IFaulty.sol, and the values its comment gives. */
const CASES: readonly (readonly [VenueFault, number, bigint])[] = [
  [{ kind: 'none' }, 0, 0n],
  [{ kind: 'no-liquidity' }, 1, 0n],
  [{ kind: 'revert-on-quote' }, 2, 0n],
  [{ kind: 'revert-on-swap' }, 3, 0n],
  [{ kind: 'move-on-swap', lossBps: 250 }, 4, 250n],
  [{ kind: 'burn-gas-on-quote' }, 5, 0n],
  [{ kind: 'burn-gas-on-swap' }, 6, 0n],
  [{ kind: 'nonsense-on-quote', answer: 'empty' }, 7, 0n],
  [{ kind: 'nonsense-on-quote', answer: 'one-byte' }, 7, 1n],
  [{ kind: 'nonsense-on-quote', answer: 'largest-uint256' }, 7, 2n],
  [{ kind: 'nonsense-on-quote', answer: 'zero' }, 7, 3n],
]

const answer = (ordinal: number, value: bigint) =>
  encodeAbiParameters([{ type: 'uint8' }, { type: 'uint256' }], [ordinal, value])

describe('faults', () => {
  it.each(CASES)('writes %o as the contract counts it', (fault, ordinal, value) => {
    const args = [ordinal, value] as const
    const expected = encodeFunctionData({ abi: orderBookVenueAbi, functionName: 'setFault', args })
    expect(encodeSetFault(fault)).toBe(expected)
  })

  it.each(CASES)('reads %o back', (fault, ordinal, value) => {
    expect(decodeFault(answer(ordinal, value))).toEqual(fault)
  })

  it('error: RangeError', () => {
    expect(() => decodeFault(answer(8, 0n))).toThrow(RangeError)
    expect(() => decodeFault(answer(7, 4n))).toThrow(RangeError)
  })
})
