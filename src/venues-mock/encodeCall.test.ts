import { parseAbi } from 'viem'
import { expect, it } from 'vitest'
import { encodeCall } from './encodeCall.ts'

const TO = '0x00000000000000000000000000000000000000aa'
const WORD_OF_TO = `${'0'.repeat(24)}${TO.slice(2)}`
const word = (value: number) => value.toString(16).padStart(64, '0')
const ERC20 = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function approve(address, uint256)',
])

it('encodes the selector and the arguments, the first time and later', () => {
  for (const amount of [1, 2]) {
    expect(encodeCall({ abi: ERC20, functionName: 'transfer', args: [TO, BigInt(amount)] })).toBe(
      `0xa9059cbb${WORD_OF_TO}${word(amount)}`,
    )
    expect(encodeCall({ abi: ERC20, functionName: 'approve', args: [TO, BigInt(amount)] })).toBe(
      `0x095ea7b3${WORD_OF_TO}${word(amount)}`,
    )
  }
})

it('chooses between overloaded functions by their arguments, whichever was called before', () => {
  const abi = parseAbi([
    'function safeTransferFrom(address from, address to, uint256 id)',
    'function safeTransferFrom(address from, address to, uint256 id, bytes data)',
  ])
  const three = () => encodeCall({ abi, functionName: 'safeTransferFrom', args: [TO, TO, 1n] })
  const four = () => encodeCall({ abi, functionName: 'safeTransferFrom', args: [TO, TO, 1n, '0x'] })
  const selectors = [three(), four(), three()].map((data) => data.slice(0, 10))
  expect(selectors).toEqual(['0x42842e0e', '0xb88d4fde', '0x42842e0e'])
})

it('has separate functions of one name in two ABIs', () => {
  const other = parseAbi(['function transfer(uint256 amount)'])
  encodeCall({ abi: ERC20, functionName: 'transfer', args: [TO, 1n] })
  expect(encodeCall({ abi: other, functionName: 'transfer', args: [1n] })).toBe(`0x12514bba${word(1)}`)
})

it('refuses a function that the ABI does not have', () => {
  const missing = { abi: ERC20, functionName: 'mint', args: [] } as never
  expect(() => encodeCall(missing)).toThrow('mint')
})
