import { expect, test } from 'vitest'
import { toAnnotations } from './annotations.ts'
import { describeFailure } from './describeFailure.ts'
import { failureText } from './failureText.ts'
import { renderResult } from './html/parts/result.ts'
import { toJunit } from './junit.ts'
import { toMarkdown } from './markdown.ts'
import { reportOf } from './report/fromResults.ts'
import { exampleCase, exampleResults } from './testing/exampleResults.ts'

const others = [
  { requirement: 'quote.cache-control', expected: 'private, no-store', actual: 'none' },
  { requirement: 'route.expires-at', expected: 'a time to come', actual: '0' },
]
const common = { exchanges: [], replay: 'npx plumbline run' }
const broken = exampleCase('a', {
  status: 'fail',
  failure: {
    ...common,
    ...{ blame: 'target', requirement: 'tx.data', message: 'tx.data: expected hex, actual none' },
    ...{ expected: 'hex', actual: 'none', others },
  },
})
const untold = exampleCase('b', {
  status: 'inconclusive',
  failure: {
    ...common,
    ...{ blame: 'target', requirement: null, message: 'connection refused\nStart the service.' },
    ...{ expected: 'a response', actual: 'connection refused' },
  },
})

test('a failure says what was expected, what there was, and what else the exchange breaks', () => {
  expect(broken.failure && failureText(broken.failure)).toEqual([
    'expected hex',
    'actual   none',
    expect.stringMatching(/^also broken by this exchange: quote.cache-control, §4.1: “.*”$/),
    '  expected private, no-store',
    '  actual   none',
    expect.stringContaining('route.expires-at'),
    '  expected a time to come',
    '  actual   0',
  ])
  expect(untold.failure && failureText(untold.failure)).toEqual([
    'expected a response',
    'actual   connection refused',
    'Start the service.',
  ])
})

test('a failure cites every clause that restates the violated one', () => {
  const failure = broken.failure && { ...broken.failure, requirement: 'tx.chain-id', others: [] }
  expect(failure && failureText(failure)).toEqual([
    'expected hex',
    'actual   none',
    'restated by service.one-chain, §1: “The service is a swap aggregator for one chain (chainId `4663`).”',
    'restated by limits.chain, §8: “Chain | `chainId` 4663”',
  ])
})

test('every output shows them, of failures and of what could not be judged', () => {
  const run = exampleResults([broken, untold])
  const report = reportOf(run)
  const page = report.cases.map((result) => String(renderResult(result, null))).join('\n')
  const shown = { console: [broken, untold].flatMap((row) => describeFailure(row, null)).join('\n') }
  const outputs = { ...shown, junit: toJunit(run), markdown: toMarkdown(report), page }
  const annotations = toAnnotations(run).join('\n')
  for (const [name, text] of Object.entries({ ...outputs, annotations }))
    for (const part of ['hex', 'private, no-store', 'a time to come', 'a response', 'connection refused'])
      expect(text, name).toContain(part)
})
