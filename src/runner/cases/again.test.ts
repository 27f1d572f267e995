import { expect, test } from 'vitest'
import { PARTNER_KEYS } from '../../fixtures/partners.ts'
import type { Exchange } from '../../spec/exchange.ts'
import type { KeyName } from '../../targets/environment/environment.ts'
import { againOf } from './runCase.ts'

const ENVIRONMENT = {
  keys: new Set<KeyName>(['one', 'two']),
  secret: (name: KeyName) => PARTNER_KEYS[name].secret,
}
const BUILD_ID = '0b6f1c1e-9d5e-4c51-8a50-7a5f2f1d2c3b'

const exchange = (secret: string | null, body: string | null, status = 200, response = '{}'): Exchange => ({
  request: {
    method: 'POST',
    path: '/api/v1/swap/confirm',
    headers: secret === null ? {} : { authorization: secret },
    body,
  },
  response: { status, headers: {}, body: response },
})
const TWO = `Bearer ${PARTNER_KEYS.two.secret}`
const BUILD = exchange(TWO, null, 200, `{"attribution":{"buildId":"${BUILD_ID}"}}`)
const CONFIRM = exchange(TWO, `{"buildId":"${BUILD_ID}"}`)

test('a request is sent again with the key that it carried', () => {
  expect(againOf(exchange(TWO, null), [], ENVIRONMENT, [])).toEqual({ key: 'two', obstacle: null })
  expect(againOf(exchange(null, null), [], ENVIRONMENT, [])).toEqual({ key: null, obstacle: null })
})

test('a key that is not one of the target is not sent again: nothing may show it', () => {
  const wrong = exchange(`Bearer ${PARTNER_KEYS.two.secret}x`, null, 401)
  expect(againOf(wrong, [], ENVIRONMENT, [])).toEqual({ key: null, obstacle: 'key' })
  expect(againOf(exchange('Basic x', null, 401), [], ENVIRONMENT, []).obstacle).toBeNull()
})

test('a confirm needs the build of its case; one of a build that does not exist needs nothing', () => {
  expect(againOf(CONFIRM, [BUILD], ENVIRONMENT, []).obstacle).toBe('case')
  expect(againOf(CONFIRM, [], ENVIRONMENT, []).obstacle).toBeNull()
})

test('changes that a case makes are gone after it; keys that it only uses are not', () => {
  for (const part of ['control', 'line', 'revokeKey', 'inside'] as const)
    expect(againOf(BUILD, [], ENVIRONMENT, [part]).obstacle).toBe('case')
  expect(againOf(BUILD, [], ENVIRONMENT, ['legacyKey', 'spareKeys', 'fresh']).obstacle).toBeNull()
})

test('an exhausted budget refills', () => {
  expect(againOf(exchange(TWO, null, 429), [], ENVIRONMENT, []).obstacle).toBe('budget')
})
