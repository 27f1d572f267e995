import { expect, test } from 'vitest'
import { compareRuns } from '../report/compareRuns.ts'
import { reportOf } from '../report/fromResults.ts'
import type { CaseResult, Results } from '../results.ts'
import { exampleCase, exampleEntry, exampleFailure, exampleResults } from '../testing/exampleResults.ts'
import { runComment, runSummary } from './run.ts'

const failed = (id: string, requirement: string, actual = 'status 422') =>
  exampleCase(id, {
    status: 'fail',
    failure: exampleFailure(requirement, {
      ...{ message: actual, expected: 'status 200', actual },
      replay: `npx plumbline conform --start './mine' --only ${id}`,
    }),
  })
const passed = (id: string) => exampleCase(id)
const BROKEN: Partial<Results> = { verdict: 'does-not-conform' }
const commentOn = (cases: readonly CaseResult[], more: Partial<Results> = BROKEN) =>
  runComment(reportOf(exampleResults(cases, more)))

/** Returns the lines that are not in a fenced block. @throws {Error} the last block is not closed. */
function outsideFences(markdown: string): readonly string[] {
  const outside: string[] = []
  let fence: string | null = null
  for (const line of markdown.split('\n')) {
    const [ticks = null] = line.match(/^ {0,3}`{3,}/) ?? []
    if (fence === null && ticks === null) outside.push(line)
    if (fence === null) fence = ticks
    else if (ticks !== null && ticks.length >= fence.length && line.trim() === ticks) fence = null
  }
  if (fence !== null) throw new Error('a fenced block is not closed')
  return outside
}

test('a comment begins with the verdict, and names what is new and the three causes to fix first', () => {
  const before = exampleResults([passed('one'), failed('two', 'tx.to'), passed('three')])
  const blocking = ['tx.data', 'tx.value.native', 'tx.permit2.flag']
  const after = exampleResults(
    [
      { ...failed('one', 'tx.data'), requirements: blocking },
      failed('two', 'tx.to'),
      failed('three', 'tx.data'),
      failed('four', 'route.engine'),
      failed('five', 'confirm.depth.twelve'),
    ],
    BROKEN,
  )
  const comment = runComment(reportOf(after, { change: compareRuns(before, after, 'base') }))
  expect(comment).toMatch(
    /^<!-- plumbline -->\n## ❌ Does not conform\n\n`reference`, seed 1: 5 cases, 5 fail\.\n\n```text\n/,
  )
  expect(comment).toContain('- **new failures**: 4\n\n  - `one`\n  - `three`\n')
  expect(comment).toContain('### Fix first, 3 of 4 causes')
  expect(comment.match(/^### \*\*fail\*\* .*/gm)).toHaveLength(3)
  expect(comment).toContain('### **fail** `one`\n')
  expect(comment).toMatch(
    /```text\nclause {3}tx\.data, §.*\nexpected status 200\nactual {3}status 422\nto pass {2}`tx\.data` is .*\n```/,
  )
  expect(comment).toContain('1 more with this cause: three')
  expect(comment).toContain("```text\nnpx plumbline conform --start './mine' --only one\n```")
})

test('a comment names the open points that are answered otherwise since the other run', () => {
  const observed = (answer: string): Partial<Results> => ({
    openPoints: [
      { point: 'confirm.window.end', answers: [{ answer, case: 'confirm.window.at', exchange: null }] },
    ],
  })
  const before = exampleResults([passed('one')], observed('inclusive'))
  const after = exampleResults([passed('one')], observed('exclusive'))
  const comment = runComment(reportOf(after, { change: compareRuns(before, after, 'base') }))
  expect(comment).toContain('**open points answered otherwise**: 1')
  expect(comment).toContain('`confirm.window.end`: `inclusive` → `exclusive`')
})

test('a run that holds its baseline says so, and shows no failure', () => {
  const excused = [exampleEntry('one', { reason: 'prices come next', link: 'https://example.com/a-b' })]
  const baseline = { excused, unexcused: [], stale: [], expired: [] }
  const comment = commentOn([failed('one', 'tx.data')], { verdict: 'conforms', baseline })
  expect(comment).toContain(
    '## ✅ Holds its baseline: 1 known failure\n\n`reference`, seed 1: 1 case, 1 excused.',
  )
  expect(comment).toContain(
    '`tx.data`: 1 case, one; until 2099\\-01\\-01: prices come next \\(<https://example.com/a-b>\\)',
  )
  expect(comment).toContain('<details><summary>\n\nBaseline: 1 known failure excused by the baseline')
  expect(comment).not.toContain('Fix first')
})

test('a comment folds what the baseline excuses, by reason, and not what fails the run', () => {
  const excused = [
    exampleEntry('one', { reason: 'prices' }),
    exampleEntry('two', { requirement: 'tx.to', reason: 'prices' }),
    exampleEntry('three', { requirement: 'tx.to', reason: 'keys' }),
  ]
  const stale = [exampleEntry('four', { reason: 'gone' })]
  const cases = [...['one', 'two', 'three'].map((id) => failed(id, 'tx.data')), passed('four')]
  const comment = commentOn(cases, {
    ...BROKEN,
    baseline: { excused, unexcused: [], stale, expired: [] },
  })
  const [visible = '', folded = ''] = comment.split('<details><summary>\n\nBaseline: ')
  expect(visible).toContain('### Baseline\n\n**stale** tx.data')
  expect(folded).toMatch(/2 cases with 2 causes; until 2099\\-01\\-01: prices/)
  expect(folded).toContain('`tx.to`: 1 case, three; until')
  expect(folded.match(/<\/details>/g)).toHaveLength(comment.match(/<details>/g)?.length ?? 0)
})

test('a comment is never longer than GitHub takes, and what is in it is whole', () => {
  const long = '@x `y` '.repeat(10_000)
  const excused = Array.from({ length: 30 }, (_, index) => exampleEntry(`case-${index}`, { reason: long }))
  const cases = [...excused.map((entry) => failed(entry.case, 'tx.data')), failed(long, 'tx.to', long)]
  const comment = commentOn(cases, {
    ...BROKEN,
    target: long,
    baseline: { excused, unexcused: [long], stale: [], expired: [] },
  })
  expect(comment.length).toBeLessThanOrEqual(65_536)
  expect(comment).toMatch(/see `report\.html`\.\n$/)
  expect(outsideFences(comment).join('\n')).toContain('## ❌ Does not conform')
})

test('a summary says how many combinations the cases met, by what they are of, and what is missing shows', () => {
  const meets = (id: string, what: string, count: number, of: number) =>
    exampleCase(id, { meets: [{ what, count, of }] })
  const cases = [
    ...[meets('one', 'pairs', 1_000, 1_792), meets('two', 'transitions', 508, 508)],
    ...[passed('three'), meets('four', 'pairs', 600, 1_792)],
  ]
  expect(runSummary(reportOf(exampleResults(cases)))).toContain(
    'met 1,600 of 1,792 pairs, 508 of 508 transitions\n',
  )
  expect(runSummary(reportOf(exampleResults([passed('one')])))).not.toContain('\nmet ')
})

test('the command that runs it again stands there whole, with every space of it', () => {
  const start = `serve  --name '${'x'.repeat(900)}'`
  const replay = `npx plumbline conform --start '${start}' --seed 7`
  const report = reportOf(exampleResults([passed('one')]), { replay })
  expect(runComment(report)).toContain(`\`\`\`text\n${replay}\n\`\`\`\n`)
})
