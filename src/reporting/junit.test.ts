import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import { toJunit } from './junit.ts'
import { exampleCase, exampleEntry, exampleFailure, exampleResults } from './testing/exampleResults.ts'

const SCHEMA = readFileSync(new URL('./testing/junit.xsd', import.meta.url), 'utf8')
const FORGED = '</failure></testcase><testcase classname="a" name="forged"/>'
const HOSTILE = 'a "quoted" <b>&amp;\u0001 <skipped/> line\nand another'

const failure = exampleFailure('tx.data', { message: HOSTILE, actual: HOSTILE })
const entry = exampleEntry('known', { reason: HOSTILE, expires: '2099-12-31' })
const run = exampleResults([], {
  target: HOSTILE,
  suites: [
    {
      name: 'conformance',
      cases: [
        exampleCase('one', { durationMs: 1_234, requirements: ['confirm.pending'] }),
        exampleCase('two', { durationMs: 6, status: 'fail', failure }),
        exampleCase('known', { durationMs: 60, status: 'fail', failure }),
        exampleCase('three', { status: 'inconclusive', notes: [HOSTILE] }),
        exampleCase('four', { status: 'not-applicable', notes: [`needs ${HOSTILE}`] }),
        exampleCase('five', { status: 'skipped', notes: ['skipped: --skip'], requirements: [] }),
      ],
    },
    { name: 'properties', cases: [exampleCase('six', { durationMs: 700 })] },
  ],
  baseline: { excused: [entry], unexcused: ['two'], stale: [entry], expired: [entry] },
})

/** Reads documents with the parser that Jenkins uses; starting it takes longer than reading any of them. */
const parsed = (documents: readonly string[], normalization?: 'c14n') =>
  validateXML({
    xml: documents.map((contents, index) => ({ fileName: `${index}.xml`, contents })),
    schema: { fileName: 'junit.xsd', contents: SCHEMA },
    ...(normalization && { normalization }),
  })

test('JUnit files are valid for Jenkins, whatever a run holds, and the schema refuses others', async () => {
  const invalid = toJunit(run).replace('classname=', 'class=')
  const { errors } = await parsed([toJunit(run), toJunit(exampleResults([])), invalid])
  expect([...new Set(errors.map(({ loc }) => loc?.fileName))]).toEqual(['2.xml'])
})

test('failures, errors and skipped cases are counted apart', () => {
  expect(toJunit(run)).toContain('tests="6" failures="1" errors="1" skipped="3"')
})

test('each case has its time and its section, and each suite the sum of the times', () => {
  const xml = toJunit(run)
  expect(xml).toContain('<testsuites time="2"')
  expect(xml).toContain('name="conformance" time="1.3"')
  expect(xml).toContain(
    '<testcase classname="conformance.4-3 POST /api/v1/swap/confirm" name="one" time="1.234"/>',
  )
  expect(xml).toContain('<testcase classname="conformance.other" name="five">')
  expect(xml).toContain('<testcase classname="properties.2-3 tx" name="six" time="0.7"/>')
})

test('a case that is skipped says why', () => {
  const elements = toJunit(run).replaceAll(/<!\[CDATA\[.*?\]\]>/gs, '')
  const [known = '', four = '', five = '', ...others] = elements.match(/<skipped[^>]*>/g) ?? []
  expect(known).toContain('message="known failure, excused until 2099-12-31: a &#34;quoted&#34; &#60;b&#62;')
  expect(four).toContain('message="needs a &#34;quoted&#34;')
  expect(five).toBe('<skipped message="skipped: --skip"/>')
  expect(others).toEqual([])
})

test('a failure has its last exchanges, and what is inconclusive too', () => {
  const sent = (index: number) => ({
    request: { method: 'POST', path: '/api/v1/swap/build', headers: {}, body: `{"amount":${index}}` },
    response: { status: 422, headers: {}, body: `{"error":"refused ${index}"}` },
  })
  const exchanges = [1, 2, 3].map(sent)
  for (const status of ['fail', 'inconclusive'] as const) {
    const xml = toJunit(exampleResults([exampleCase('one', { status, failure: { ...failure, exchanges } })]))
    expect(xml).toContain('(1 earlier exchange: see the report)')
    expect(xml).toMatch(
      /request {2}POST \/api\/v1\/swap\/build \{"amount":3\}\s+response 422: \{"error":"refused 3"\}/,
    )
    expect(xml).not.toContain('refused 1')
  }
})

test('text of a target that reads like an element is kept', () => {
  expect(toJunit(run)).toContain('actual   a "quoted" <b>&amp;\ufffd <skipped/> line')
})

test('each suite says what was run', () => {
  const properties = toJunit(run).match(/<property name="\w+"/g) ?? []
  expect(properties.slice(0, 4).join()).toBe(
    '<property name="target",<property name="profile",<property name="seed",<property name="verdict"',
  )
})

/** Number of generated suites in the one document. */
const SUITES = 25
const FORGING: readonly [string, string, string] = ['', `]]>]]>${FORGED}`, '']

test('no bytes of a target end the element that they are in, or add one', async () => {
  const pieces = fc.constantFrom(
    ...[']]>', ']]', '>', '<![CDATA[', '<skipped/>', '&', '&#0;', '"', '<!--', '-->', '<?x', '\r\n', '\t'],
    ...[FORGED, '</error>', '</system-out>'],
    ...[
      '\u0000',
      '\u001b',
      '\u0085',
      '\ud800',
      '\udc00',
      '\ufffe',
      '\uffff',
      '\ufeff',
      '\u2028',
      '\u{1ffff}',
    ],
  )
  const bytes = fc.uint8Array({ maxLength: 30 }).map((array) => Buffer.from(array).toString('utf8'))
  const said = fc
    .array(fc.oneof({ weight: 3, arbitrary: pieces }, bytes, fc.string({ unit: 'binary' })))
    .map((parts) => parts.join(''))
  const joined = (texts: readonly string[]) => texts.join('\n')
  const suites = fc.array(fc.tuple(said, said, said), { minLength: SUITES, maxLength: SUITES })
  await fc.assert(
    fc.asyncProperty(suites, async (generated) => {
      const all = [FORGING, ...generated]
      const hostile = exampleResults([], {
        target: joined(all.map(([one]) => one)),
        suites: all.map(([one, two, three]) => {
          const sent = { ...failure, message: one, expected: two, actual: three }
          return {
            name: 'conformance',
            cases: [
              exampleCase('first', { status: 'fail', failure: sent }),
              exampleCase('known', { status: 'fail', failure: sent }),
              exampleCase('third', { status: 'inconclusive', failure: sent }),
              exampleCase('fourth', { status: 'inconclusive', notes: [two, three] }),
              exampleCase('last', { status: 'skipped', notes: [one] }),
            ],
          }
        }),
        baseline: {
          excused: [{ ...entry, reason: joined(all.map(([, two]) => two)) }],
          ...{ unexcused: [], stale: [], expired: [] },
        },
      })
      const each = ['first', 'failure', 'known', 'skipped', 'third', 'error', 'fourth', 'error']
      const { errors, normalized } = await parsed([toJunit(hostile)], 'c14n')
      expect(errors).toEqual([])
      // In the canonical form, no text holds a `<`.
      const elements = normalized.matchAll(/<testcase [^>]*? name="([^"]*)"|<(failure|error|skipped)\b/g)
      expect([...elements].map(([, name, element]) => name ?? element)).toEqual(
        all.flatMap(() => [...each, 'last', 'skipped']),
      )
    }),
    { numRuns: 1 },
  )
})
