import { expect, test } from 'vitest'
import { exchangeBlocks } from './documents/exchanges.ts'
import { excerpt, fieldsOf } from './excerpt.ts'
import { renderPrinted } from './html/sections/printed.ts'
import { reportOf } from './report/fromResults.ts'
import { exampleCase, exampleFailure, exampleResults } from './testing/exampleResults.ts'

const alternative = (engine: string, deltaBps: unknown) => ({
  engine,
  label: 'x'.repeat(300),
  amountOut: 2,
  netAmountOut: 1,
  deltaBps,
})
const body = JSON.stringify({
  route: {
    engine: 'venue_a',
    venues: ['v'.repeat(300)],
    midRate: 0.5,
    alternatives: [alternative('venue_a', 0), alternative('venue_b', '5'), alternative('venue_c', 7)],
  },
  listedFeeBps: 0,
})
const failing = (requirement: string | null, expected: string, actual: string, response = body) =>
  exampleCase('a', {
    status: 'fail',
    failure: exampleFailure(requirement, {
      ...{ expected, actual },
      exchanges: [
        {
          request: { method: 'GET', path: '/api/v1/quote', headers: {}, body: null },
          response: { status: 200, headers: {}, body: response },
        },
      ],
    }),
  })
const shownOf = (...[requirement, expected, seen, response = body]: Parameters<typeof failing>) =>
  excerpt(response, fieldsOf(failing(requirement, expected, seen, response)), 600)

test('the excerpt of a long body shows the field that a failure names, with where it is', () => {
  const path = 'alternatives[1].deltaBps'
  const row = failing('alternatives.delta', `${path}: a number, 0 or more`, `${path}: "5"`)
  const text = `200: {"route":{…,"alternatives":[…,{"engine":"venue_b",…,"deltaBps":"5"},…]},…} (of ${body.length} characters)`
  expect(exchangeBlocks(row, null, 1)).toEqual([
    {
      kind: 'terms',
      terms: [
        ['request', 'GET /api/v1/quote'],
        ['response', text],
      ],
    },
  ])
  const printed = String(renderPrinted(reportOf(exampleResults([row]))))
  expect(printed.replaceAll('<wbr>', '')).toContain(
    '{&quot;engine&quot;:&quot;venue_b&quot;,…,&quot;deltaBps&quot;:&quot;5&quot;}',
  )
})

test('a failure that names no field shows those of its requirement', () => {
  const text = shownOf('route.mid-rate', '2', '0.5')
  expect(text).toContain('"midRate":0.5')
  expect(text).not.toContain('label')
})

test('a field that is missing shows what should hold it', () => {
  const text = shownOf('alternatives.gas-cost', 'alternatives[2].gasCostOut: a number', 'absent')
  expect(text).toContain('{"engine":"venue_c","label":"xxx')
})

test('a short body is shown as it is, and one without such a field, or that is no JSON, by its beginning', () => {
  expect(shownOf('route.mid-rate', '2', '0', '{"midRate": 0}')).toBe('{"midRate": 0}')
  expect(shownOf('tx.data', 'tx.data: hex', 'none')).toMatch(
    /^\{"route":\{"engine":"venue_a","venues".*cut: /,
  )
  const page = `<html>${'x'.repeat(900)}`
  expect(shownOf('route.mid-rate', '2', '0', page)).toMatch(/^<html>x+… \(cut: 906 characters in all\)$/)
  const nested = `${'['.repeat(5_000)}{"midRate":0}${']'.repeat(5_000)}`
  expect(shownOf('route.mid-rate', '2', '0', nested)).toMatch(/^\[+… \(cut: /)
})

test('a name that a failure mentions hides none of its requirement, and means the field that the requirement is about', () => {
  const text = shownOf('route.mid-rate', '2', '0.5 (engine venue_a, deltaBps)')
  expect(text).toContain('"midRate":0.5')
  const net = shownOf('alternatives.net', 'netAmountOut = amountOut − gasCostOut', 'another')
  expect(net).toContain('{"engine":"venue_c",…,"amountOut":2,"netAmountOut":1,…}')
})

test.each([
  ['hops[0].from: a string; and 2 more', ['hops.0.from'], []],
  ['gasCostOut = amountOut − netAmountOut', [], ['gasCostOut', 'amountOut', 'netAmountOut']],
  ['tx.value: base units as a string of decimal digits', ['tx.value'], []],
  ['to: "us", which is no address', ['to'], []],
  ['{"absent":["midRate"]}', [], []],
  ['a route, as venue_a can price it', [], []],
])('of “%s” the fields are %j, and perhaps %j', (text, given, named) => {
  const fields = fieldsOf(failing(null, text, 'none'))
  expect(fields.given.map((path) => path.join('.'))).toEqual(given)
  expect(fields.named.map((path) => path.join('.'))).toEqual(named)
})

test('a text of a target that is made to be matched slowly is not', () => {
  const text = `${'a[1].b'.repeat(600)}"`
  // A backtracking pattern would not terminate in reasonable time.
  expect(fieldsOf(failing(null, text, text)).named).toEqual([])
})

test('a field that is nested deeper than it can be written is left out', () => {
  const deep = `{"route":{"midRate":${'['.repeat(6000)}${']'.repeat(6000)}},"listedFeeBps":0,"long":"${'x'.repeat(900)}"}`
  expect(shownOf('route.null-or-object', 'route: an object', 'route: malformed', deep)).toMatch(/^.{1,600}$/)
})
