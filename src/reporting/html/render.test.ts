import { expect, test } from 'vitest'
import { conformanceCases } from '../../../conformance/index.ts'
import { allRequirements } from '../../spec/requirements/index.ts'
import { clauseOf } from '../documents/clauses.ts'
import { reportOf } from '../report/fromResults.ts'
import { specificationChecked } from '../report/specification.ts'
import { exampleCase, exampleEntry, exampleFailure, exampleResults } from '../testing/exampleResults.ts'
import { renderResult, renderResultLine } from './parts/result.ts'
import { renderReport } from './render.ts'
import { pageAssets } from './shell.ts'

const EXCHANGE = {
  request: { method: 'GET', path: '/api/v1/quote', headers: {}, body: null },
  response: { status: 422, headers: {}, body: '{}' },
}
const failure = exampleFailure('tx.data', {
  ...{ message: '`tx.to` is wrong', expected: '`tx.to`', actual: 'none', exchanges: [EXCHANGE] },
})
const ENDED = [
  exampleCase('one.fails', { status: 'fail', failure }),
  exampleCase('two.fails', { status: 'fail', failure }),
  exampleCase('is.unclear', { status: 'inconclusive', notes: ['skipped: `--timeout` reached'] }),
  exampleCase('passes'),
]

/** Returns the text that a reader sees, without the data for the page's script. */
function visible(page: string): string {
  return page
    .replace(/<(script|style)\b[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
}

test('the head says when the run ended and which specification it checked', () => {
  const specification = specificationChecked()
  const page = renderReport(
    reportOf(exampleResults(ENDED), { endedAt: '2026-11-22T15:48:30.120Z', specification }),
  )
  const text = visible(page)
  expect(text).toContain('Date 22 November 2026, 15:48 UTC')
  const all = allRequirements().length
  const untestable = allRequirements().filter(({ level }) => level === 'untestable').length
  const ofService = allRequirements().filter(
    ({ level, subject }) => level !== 'untestable' && subject !== 'client',
  )
  // The verdict counts testable requirements only, like the console.
  expect(text).toContain(` of ${ofService.length} testable requirements `)
  expect(text).toContain(
    `Specification v1, ${all} requirements of which ${untestable} cannot be tested, SHA-256 ${specification.sha256.slice(0, 12)}…`,
  )
  // A file of an earlier version has neither.
  expect(visible(renderReport(reportOf(exampleResults(ENDED))))).not.toMatch(/Date|Specification v1/)
})

test('failures and inconclusive cases are counted apart, in the contents, the head and the lists', () => {
  const text = visible(renderReport(reportOf(exampleResults(ENDED, { verdict: 'does-not-conform' }))))
  expect(text).toContain('Failures 2 Inconclusive 1')
  expect(text).toContain('Failed 2 Inconclusive 1')
  expect(text).toContain('2 cases failed, with 1 of 2 causes.')
  expect(text).toContain('1 case ended without a verdict, with 1 of 2 causes.')
})

test('the command of a started service is set as code, and what was not exercised comes after the failures', () => {
  const page = renderReport(reportOf(exampleResults(ENDED, { target: 'spawned: node it.mjs --slow' })))
  expect(page).toContain('started by <code>node it.mjs --slow</code>.')
  expect(page.indexOf('What was not exercised')).toBeGreaterThan(page.indexOf('id="failures"'))
})

test('the exchange of a failure comes before the requirements that the case cites', () => {
  const [report] = reportOf(exampleResults(ENDED)).cases
  const text = report === undefined ? '' : visible(renderResult(report, null, clauseOf).text)
  expect(text.indexOf('The exchange')).toBeGreaterThan(text.indexOf('Actual'))
  expect(text.indexOf('cites')).toBeGreaterThan(text.indexOf('curl'))
})

test('the head opens with what Plumbline is, what it tested, and what became of every requirement', () => {
  const report = reportOf(exampleResults(ENDED, { verdict: 'does-not-conform' }))
  const verdicts = [
    ...['fail', 'fail', 'not-kept', 'inconclusive', 'excused', 'observed', 'not-applicable', 'untestable'],
    ...['pass', 'pass', 'pass'],
  ]
  const requirements = verdicts.map((verdict, index) => ({ ...report.requirements[index], verdict })) as never
  const text = visible(renderReport({ ...report, requirements }))
  expect(text).toContain(
    'Plumbline, a conformance suite for swap routing services, ran 4 cases against reference. ' +
      '3 of 10 testable requirements pass. Of the other 7: 2 violated, 1 convention not kept (which counts only with --strict), ' +
      '1 inconclusive, 1 excused by the baseline, 1 only observed, 1 not applicable. 2 cases fail. 1 case ended without a verdict.',
  )
})

test('failed, not kept, inconclusive and excused differ in colour, in light and in dark, and can be read', () => {
  const page = renderReport(reportOf(exampleResults(ENDED)))
  const colours = (name: string) =>
    new RegExp(`--${name}: ?light-dark\\((#\\w{6}), ?(#\\w{6})\\)`).exec(page)?.slice(1, 3) ?? []
  const names = ['fail', 'not-kept', 'inconclusive', 'excused'].map((status) => {
    const rules = [...page.matchAll(new RegExp(`\\n\\.is-${status} ?\\{\\s*color: ?var\\(--(\\w+)\\)`, 'g'))]
    return rules[0]?.[1] ?? status
  })
  const grounds = colours('ground')
  for (const scheme of [0, 1]) {
    const shown = names.map((name) => colours(name)[scheme] ?? name)
    expect(new Set(shown).size, shown.join()).toBe(4)
    for (const colour of shown)
      expect(contrast(colour, grounds[scheme] ?? ''), colour).toBeGreaterThanOrEqual(4.5)
  }
})

/** Returns the contrast of two colours as WCAG 2 defines it. */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [one, other].map(luminance).sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

test('code in backticks is rendered as code wherever the suite writes it', () => {
  const cases = conformanceCases().map(({ id, title }) => exampleCase(id, { title, notes: ['see `tx.to`'] }))
  const report = reportOf(exampleResults([...ENDED, ...cases]))
  const opened = report.cases.map(
    (row, index) => renderResultLine(row, index).text + renderResult(row, null, clauseOf),
  )
  // A backtick within a word is part of a request's value.
  expect(visible(renderReport(report) + opened.join('')).match(/.{0,40}(?:\B`|`\B).{0,40}/g)).toBeNull()
})

const MUSTS = allRequirements().filter(({ level }) => level === 'must')
/** Returns the page of a run in which the first requirements do not apply, for these reasons. */
function pageWithout(...reasons: readonly string[]): string {
  const requirements = MUSTS.slice(0, reasons.length).map(({ id, section }, index) => ({
    ...{ id, section, level: 'must' as const, status: 'not-applicable' as const, exercised: 0, floor: 1 },
    ...{ venues: [], boundaryClasses: [], observations: [], stoppedBy: null, reason: reasons[index] ?? '' },
  }))
  return renderReport(reportOf(exampleResults(ENDED, { requirements })))
}

test('what is not applicable and what is not testable have different signs', () => {
  const page = pageWithout('')
  const signOf = (ending: string) =>
    new RegExp(`class="mark is-${ending}"><span aria-hidden="true">(.)</span>`).exec(page)?.[1]
  expect(signOf('not-applicable')).toBe('–')
  expect(signOf('untestable')).toBe('⊘')
})

test('what is not applicable has its own reason, of which the profile may be one', () => {
  const profile = 'needs the profile sandbox'
  const text = visible(pageWithout(profile, profile, profile, 'the capability x is not declared'))
  expect(text).toContain('3 requirements: needs the profile sandbox')
  expect(text).toContain(`${MUSTS[3]?.id} : the capability x is not declared`)
})

test('outdated entries of the baseline come after the failures', () => {
  const baseline = { excused: [], unexcused: [], stale: [exampleEntry('passes')], expired: [] }
  const page = renderReport(reportOf(exampleResults(ENDED, { verdict: 'does-not-conform', baseline })))
  const baselineAt = page.indexOf('<section id="baseline"')
  expect(baselineAt).toBeGreaterThan(page.indexOf('<section id="failures"'))
  expect(page.indexOf('no longer end as known')).toBeGreaterThan(baselineAt)
  expect(page).toContain('Does not conform: 1 stale entry of the baseline')
})

test('the script in every page has no part of the specification: a page has the clauses that it shows', () => {
  const { script } = pageAssets()
  expect(script.length).toBeGreaterThan(0)
  expect(allRequirements().filter(({ id }) => script.includes(id))).toEqual([])
})
