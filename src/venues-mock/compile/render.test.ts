import { expect, it } from 'vitest'
import { carriesHash, constantPrefix, renderContract } from './render.ts'

it.each([
  ['ConstantProductVenue', 'constantProductVenue'],
  ['WETH9', 'weth9'],
  ['V4Quoter', 'v4Quoter'],
  ['QuoterV2', 'quoterV2'],
  ['ERC20', 'erc20'],
  ['OTCDesk', 'otcDesk'],
])('names the constants of %s %s…', (name, prefix) => {
  expect(constantPrefix(name)).toBe(prefix)
})

it('writes the ABI without Solidity-internal types, and only the code there is', () => {
  const abi = [{ type: 'function', name: 'f', inputs: [{ internalType: 'struct S', type: 'tuple' }] }]
  const text = renderContract('Thing', 'Thing.sol', 'ab12', { abi, runtime: '0x60' })
  expect(text.split('\n').slice(2)).toEqual([
    '',
    'export const thingAbi = [',
    '  {"type":"function","name":"f","inputs":[{"type":"tuple"}]},',
    '] as const',
    '',
    "export const thingRuntime = '0x60' as const",
    '',
  ])
})

it('knows the hash that a file carries', () => {
  const text = renderContract('Thing', 'Thing.sol', 'ab12', { abi: [] })
  expect(carriesHash(text, 'ab12')).toBe(true)
  expect(carriesHash(text, 'ab1')).toBe(false)
  expect(carriesHash('', 'ab12')).toBe(false)
})
