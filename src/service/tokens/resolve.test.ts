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
