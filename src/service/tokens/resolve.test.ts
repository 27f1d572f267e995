import { describe, expect, test } from 'vitest'
import { InvalidRequestError } from '../errors.ts'
import type { BuildRequest } from '../requests.ts'
import { requestOf } from '../testing/deps.ts'
import { AT, TEST_MANIFEST } from '../testing/manifest.ts'
import { createTokenResolver } from './resolve.ts'

const resolve = createTokenResolver(TEST_MANIFEST)
const OTHER = { to: 'OTHER', toAddress: AT.other, toDecimals: 36 }

function fieldOf(changes: Partial<BuildRequest>): string {
  try {
    resolve(requestOf(changes))
  } catch (error) {
    if (error instanceof InvalidRequestError) return error.field
    throw error
  }
  return 'accepted'
}

test('a registry symbol needs nothing else', () => {
  expect(resolve(requestOf())).toEqual({
    tokenIn: { symbol: 'ETH', address: AT.native, decimals: 18, feed: AT.feedEth, registered: true },
    tokenOut: {
      symbol: 'USDG',
      address: AT.usdg.toLowerCase(),
      decimals: 6,
      feed: AT.feedUsdg,
      registered: true,
    },
    wrapOnly: false,
  })
})

test('any other token comes with its address and decimals', () => {
  expect(resolve(requestOf(OTHER)).tokenOut).toEqual({
    symbol: 'OTHER',
    address: AT.other,
    decimals: 36,
    feed: null,
    registered: false,
  })
})

describe('what agrees with the registry is accepted', () => {
  test.each<Partial<BuildRequest>>([
    { fromAddress: 'native' },
    { fromAddress: AT.native, fromDecimals: 18 },
    { toAddress: AT.usdg, toDecimals: 6 },
    { from: 'COIN', fromAddress: 'native', fromDecimals: 18 },
    { to: 'ALIAS', toAddress: AT.usdg, toDecimals: 6 },
  ])('%o', (changes) => {
    expect(fieldOf(changes)).toBe('accepted')
  })
})

describe('what is missing or contradicts is refused by its field', () => {
  test.each<[string, Partial<BuildRequest>]>([
    ['fromAddress', { from: 'OTHER' }],
    ['fromDecimals', { from: 'OTHER', fromAddress: AT.other }],
    ['toAddress', { to: 'eth' }],
    ['toAddress', { to: '__proto__' }],
    ['toAddress', { to: 'constructor', toDecimals: 18 }],
    ['toDecimals', { ...OTHER, toDecimals: null }],
    ['fromAddress', { fromAddress: AT.weth }],
    ['fromDecimals', { fromDecimals: 6 }],
    ['toAddress', { toAddress: AT.other }],
    ['toDecimals', { toDecimals: 18 }],
    ['toDecimals', { to: 'ALIAS', toAddress: AT.usdg, toDecimals: 18 }],
    ['fromDecimals', { from: 'COIN', fromAddress: 'native', fromDecimals: 8 }],
    ['to', { to: 'ETH' }],
    ['to', { from: 'USDG' }],
    ['to', { from: 'X', fromAddress: AT.usdg, fromDecimals: 6 }],
  ])('%s', (field, changes) => {
    expect(fieldOf(changes)).toBe(field)
  })
})

test('ETH to WETH and back is recognised', () => {
  expect(resolve(requestOf({ to: 'WETH' })).wrapOnly).toBe(true)
  expect(resolve(requestOf({ from: 'WETH', to: 'ETH' })).wrapOnly).toBe(true)
  expect(resolve(requestOf({ from: 'WETH' })).wrapOnly).toBe(false)
})
