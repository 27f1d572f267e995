import { expect, test } from 'vitest'
import type { Manifest } from '../../spec/manifest.ts'
import { mustBe, readRequest } from './readRequest.ts'

const ADDRESS = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const manifest = {
  registry: [{ symbol: 'ETH' }, { symbol: 'USDG' }],
  otherTokens: [{ symbol: 'ODD', address: ADDRESS, decimals: 9 }],
} as unknown as Manifest

/** Returns the required outcome of a quote with these parameters. */
function fateOf(parameters: Readonly<Record<string, string>>, asReference = false) {
  const query = Object.entries({ from: 'ETH', to: 'USDG', amount: '1', ...parameters })
  return mustBe(readRequest(manifest, { endpoint: 'quote', query }, true), asReference)
}

test.each([
  ['with its checksum', ADDRESS, 'served'],
  ['in lower case', ADDRESS.toLowerCase(), 'served'],
  ['with a checksum that is wrong', ADDRESS.replace('9', '0'), 'either'],
  ['in upper case', `0x${ADDRESS.slice(2).toUpperCase()}`, 'either'],
  ['too short', ADDRESS.slice(0, -1), 'refused'],
])('an address %s', (_how, address, fate) => {
  expect(fateOf({ partnerFeeBps: '1', partnerFeeRecipient: address })).toBe(fate)
  expect(fateOf({ sender: address })).toBe(fate === 'refused' ? 'either' : fate)
  if (fate !== 'refused') {
    expect(fateOf({ from: 'ANY', fromAddress: address, fromDecimals: '9' })).toBe(
      address.toLowerCase() === ADDRESS.toLowerCase() ? fate : 'either',
    )
    expect(fateOf({ partnerFeeBps: '1', partnerFeeRecipient: address }, true)).toBe('served')
  }
})
