import { expect, test } from 'vitest'
import type { RequirementId } from '../../spec/requirements/index.ts'
import type { Block } from '../document/model.ts'
import { inTerminal, toTerminal } from '../document/terminal.ts'
import type { CaseResult } from '../results.ts'
import { exampleCase, exampleFailure } from '../testing/exampleResults.ts'
import { causesBlocks, FAILURES_IN_TERMINAL } from './causes.ts'

const REQUIREMENTS: readonly RequirementId[] = [
  'service.json-bodies',
  'versioning.path',
  'quote.slippage.range',
  'confirm.error-body',
]

function row(id: string, requirement: RequirementId | null, message = 'broken'): CaseResult {
  const unjudged = { blame: 'harness', actual: message } as const
  const failure = exampleFailure(requirement, { message, ...(requirement === null && unjudged) })
  const status = requirement === null ? 'inconclusive' : 'fail'
  return exampleCase(id, { title: id, requirements: [], status, failure })
}
/** Returns the blocks of a digest: the title of a case in full, and the lines of anything else. */
const digest = (...rows: CaseResult[]): readonly (string | readonly string[])[] =>
  causesBlocks(rows, null, FAILURES_IN_TERMINAL).map((block) =>
    isInFull(block) ? `FULL ${titleOf(block)}` : toTerminal([block]),
  )
const titleOf = (block: Block) => (block.kind === 'section' ? inTerminal(block.title) : '')
const isInFull = (block: Block) => /^(?:fail|inconclusive) /.test(titleOf(block))

test('passed cases are not mentioned', () => {
  expect(digest(exampleCase('a'), exampleCase('b'))).toEqual([])
})

test('cases that break the same requirement are one, with the first in full', () => {
  const rows = [
    row('a', 'versioning.path'),
    ...['b', 'c', 'd', 'e'].map((id) => row(id, 'quote.slippage.range')),
    row('f', 'confirm.error-body'),
  ]
  expect(digest(...rows)).toEqual([
    [
      '',
      'Fix first, 3 causes',
      '    1. quote.slippage.range, §4.1: ends 4 cases and leaves 1 requirement without a pass',
      '    2. confirm.error-body, §7: ends 1 case and leaves 1 requirement without a pass',
      '    3. versioning.path, §9: ends 1 case and leaves 1 requirement without a pass',
    ],
    'FULL fail b',
    'FULL fail f',
    ['', 'Other causes', '    fail versioning.path, §9: a', '      expected this', '      actual   that'],
  ])
  const full = toTerminal(causesBlocks(rows, null, FAILURES_IN_TERMINAL))
  expect(full).toContain('  3 more with this cause: c, d, and 1 more')
})

test('cases without a verdict are grouped by reason', () => {
  const rows = [1, 2, 3].map((n) => row(`twin-${n}`, null, 'the twin is not served\nand more'))
  const others = ['budget', 'clock'].map((id) => row(id, null, `${id}${'x'.repeat(400)}`))
  const [, , last] = digest(...rows, ...others)
  expect(last).toEqual([
    '',
    'Other causes',
    expect.stringMatching(/^ {4}inconclusive clockx{75}… \(cut: .*\): clock$/),
    '      expected this',
    expect.stringMatching(/^ {6}actual {3}clockx{155}… \(cut: 405 characters in all\)$/),
  ])
})

test('four hundred failures of four hundred kinds fit on a screen, and none is uncounted', () => {
  const rows = Array.from({ length: 400 }, (_, index) =>
    row(`case-${index}`, index < 4 ? (REQUIREMENTS[index] ?? null) : null, `reason ${index}`),
  )
  const lines = toTerminal(causesBlocks(rows, null, FAILURES_IN_TERMINAL))
  expect(lines.length).toBeLessThan(55)
  expect(lines.at(-1)).toBe('and 390 more causes, 390 cases, in report.html')
})

test('every list counts the same causes, and what a case in full shows of another cause is not shown in full again', () => {
  const breakBoth = (id: string) => {
    const both = row(id, 'quote.slippage.range')
    const more = { requirement: 'confirm.error-body', expected: 'a message', actual: 'none' }
    return { ...both, failure: both.failure && { ...both.failure, others: [more] } }
  }
  const others = [row('d', 'versioning.path'), row('ours', null, 'the chain is down')]
  const shown = digest(breakBoth('a'), breakBoth('b'), breakBoth('c'), ...others)
  expect(shown[0]).toContain('Fix first, 3 of 4 causes')
  expect(shown.filter((one) => `${one}`.startsWith('FULL'))).toEqual(['FULL fail a', 'FULL fail d'])
  const listed = shown.at(-1)
  expect(`${listed}`).toContain(
    'fail confirm.error-body, §7: a, b, and 1 more,      expected a message,      actual   none',
  )
  expect(listed).toContain('    inconclusive the chain is down: ours')
})
