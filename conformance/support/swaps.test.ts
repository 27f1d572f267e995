import { expect, test } from 'vitest'
import type { Answer } from '../../src/targets/environment/client.ts'
import { whyNoBuild } from './swaps.ts'

const answer = (status: number, json: unknown) =>
  ({ status, json, exchange: { response: { body: JSON.stringify(json) } } }) as Answer

test('a response that is no build is described by what is wrong with it, in the same words whatever its values are', () => {
  expect(whyNoBuild(answer(422, { error: 'no executable route' }))).toBe(
    'no build to work with: status 422 {"error":"no executable route"}',
  )
  const malformed = (deltaBps: string) => {
    const alternatives = [{ deltaBps }, { deltaBps }]
    return whyNoBuild(answer(200, { route: { alternatives }, engine: 'venue_a' }))
  }
  expect(malformed('3')).toBe(malformed('4'))
  expect(malformed('3')).toMatch(
    /^no build to work with: malformed: route\.engine, .*alternatives\[\]\.deltaBps/,
  )
  expect(whyNoBuild(answer(200, null))).toBe('no build to work with: malformed: no object')
})
