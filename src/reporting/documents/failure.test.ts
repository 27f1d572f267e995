import { expect, test } from 'vitest'
import { toAnnotations } from '../annotations.ts'
import { code, paragraph, terms } from '../document/model.ts'
import { toTerminal } from '../document/terminal.ts'
import { renderResult } from '../html/parts/result.ts'
import { toJunit } from '../junit.ts'
import { reportOf } from '../report/fromResults.ts'
import { exampleCase, exampleFailure, exampleResults } from '../testing/exampleResults.ts'
import { caseSection, FAILURES_IN_TERMINAL } from './causes.ts'
import { clauseOf } from './clauses.ts'
import { blameOf, failureBlocks, GUILTY } from './failure.ts'
import { runComment, runSummary } from './run.ts'

const others = [
  { requirement: 'quote.cache-control', expected: 'private, no-store', actual: 'none' },
  { requirement: 'route.expires-at', expected: 'a time to come', actual: '0' },
]
const broken = exampleCase('a', {
  status: 'fail',
  failure: exampleFailure('tx.data', { expected: 'hex', actual: 'none', others }),
})
const untold = exampleCase('b', {
  status: 'inconclusive',
  failure: exampleFailure(null, {
    ...{ message: 'connection refused\nStart the service.' },
    ...{ expected: 'a response', actual: 'connection refused' },
  }),
})

test('a failure says what was expected, what there was, and what else the exchange breaks', () => {
  const guidance = [['to pass', 'Send hex.']] as const
  const clauseOf = (id: string) =>
    id === 'tx.data' ? { section: '2.3', clause: 'is hex', restatements: [], guidance } : null
  const also = paragraph('also broken by this exchange:')
  expect(broken.failure && failureBlocks(broken.failure, clauseOf)).toEqual([
    terms([
      ['clause', [code('tx.data', '#req-tx.data'), ', §2.3: “is hex”']],
      ['expected', 'hex'],
      ['actual', 'none'],
      ['to pass', 'Send hex.'],
    ]),
    also,
    terms([
      ['clause', [code('quote.cache-control', '#req-quote.cache-control')]],
      ['expected', 'private, no-store'],
      ['actual', 'none'],
    ]),
    also,
    terms([
      ['clause', [code('route.expires-at', '#req-route.expires-at')]],
      ['expected', 'a time to come'],
      ['actual', '0'],
    ]),
  ])
  expect(untold.failure && failureBlocks(untold.failure, clauseOf)).toEqual([
    terms([
      ['expected', 'a response'],
      ['actual', 'connection refused'],
    ]),
    paragraph('Start the service.'),
  ])
})

/** Returns these cases in every output. */
function outputsOf(...rows: (typeof broken)[]) {
  const run = exampleResults(rows)
  const report = reportOf(run)
  const inFull = (row: typeof broken) => caseSection(row, null, FAILURES_IN_TERMINAL)
  return {
    console: toTerminal(rows.map(inFull)).join('\n'),
    junit: toJunit(run),
    summary: runSummary(report),
    comment: runComment(report),
    page: report.cases.map((result) => String(renderResult(result, null, clauseOf))).join('\n'),
    annotations: toAnnotations(run).join('\n'),
  }
}

test('every output shows them, of failures and of what could not be judged', () => {
  for (const [name, text] of Object.entries(outputsOf(broken, untold)))
    for (const part of ['hex', 'private, no-store', 'a time to come', 'a response', 'connection refused'])
      expect(text, name).toContain(part)
})

test('every output shows what the case had set, and those with exchanges mark the one that breaks the requirement', () => {
  const request = { method: 'GET', path: '/api/v1/quote', headers: {}, body: null }
  const response = { status: 200, headers: {}, body: '{}' }
  const exchanges = [
    { request, response },
    { request, response, conditions: ['venue_d: its quotes revert'], guilty: true },
  ]
  const outputs = outputsOf({ ...broken, failure: broken.failure && { ...broken.failure, exchanges } })
  for (const [name, text] of Object.entries(outputs)) {
    expect(text, name).toContain('venue_d: its quotes revert')
    if (name !== 'annotations') expect(text.split(GUILTY), name).toHaveLength(2)
  }
})

test('a target that serves nothing to judge is not said to be silent', () => {
  const blame = (status: number) => {
    const request = { method: 'GET', path: '/api/v1/quote', headers: {}, body: null }
    const exchanges = [{ request, response: { status, headers: {}, body: '' } }]
    return blameOf({ ...untold, failure: untold.failure && { ...untold.failure, exchanges } })
  }
  expect(blame(200)).toMatchObject({ strong: 'the target served nothing to judge' })
  expect(blame(0)).toMatchObject({ strong: 'the target did not respond' })
})

test('a failure cites every clause that restates the violated one', () => {
  const failure = broken.failure && { ...broken.failure, requirement: 'tx.chain-id', others: [] }
  const [block] = (failure && failureBlocks(failure, clauseOf)) ?? []
  expect(block).toEqual(
    terms([
      ['clause', [code('tx.chain-id', '#req-tx.chain-id'), expect.stringMatching(/^, §2\.\d: “.*4663.*”$/)]],
      [
        'restated by',
        ['service.one-chain, §1: “The service is a swap aggregator for one chain (chainId `4663`).”'],
      ],
      ['restated by', ['limits.chain, §8: “Chain | `chainId` 4663”']],
      ['expected', 'hex'],
      ['actual', 'none'],
      ['to pass', '`tx.chainId` is the integer 4663.'],
    ]),
  )
})

test('a failure says what passes and how far a figure may be off, a line each', () => {
  const failure = broken.failure && { ...broken.failure, requirement: 'alternatives.delta', others: [] }
  const [block] = (failure && failureBlocks(failure, clauseOf)) ?? []
  const labels = block?.kind === 'terms' ? block.terms.map(([label]) => label) : []
  expect(labels).toEqual(['clause', 'expected', 'actual', 'to pass', 'tolerance', 'accepted'])
})
