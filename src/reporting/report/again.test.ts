import { expect, test } from 'vitest'
import type { Exchange } from '../../spec/exchange.ts'
import { paragraph, preformatted, terms } from '../document/model.ts'
import { exchangeBlocks } from '../documents/exchanges.ts'
import { exampleCase, exampleFailure } from '../testing/exampleResults.ts'
import { caseCommand, type ReachableService } from './again.ts'

const RUNNING: ReachableService = { baseUrl: 'http://127.0.0.1:80', leftBy: null }
const LEFT: ReachableService = { ...RUNNING, leftBy: 'a.case' }

const exchange = (again: Exchange['again'] | 'absent', body: string | null = null): Exchange => ({
  request: {
    method: 'POST',
    path: '/api/v1/swap/build',
    headers: { authorization: 'Bearer <redacted>' },
    body,
  },
  response: { status: 400, headers: {}, body: '{}' },
  ...(again === 'absent' ? {} : { again }),
})
const PLAIN = exchange({ key: 'one', obstacle: null })
const OF_CASE = exchange({ key: 'two', obstacle: 'case' })

function shown(
  service: ReachableService | null,
  exchanges: Exchange[],
  command = 'conform',
): ReturnType<typeof exchangeBlocks> {
  const replay = `npx plumbline ${command} reference --only a.case`
  const failure = exampleFailure(null, { exchanges, replay })
  return exchangeBlocks(exampleCase('a.case', { status: 'fail', failure }), service, 4)
}
const HINT = paragraph('as curl lines that work: the same command with --keep-running')
const RESPONSE = ['response', '400: {}'] as const
const UNSENT = terms([['request', 'POST /api/v1/swap/build'], RESPONSE])

test('a request that needs nothing but a service is a curl line where a service runs', () => {
  expect(shown(RUNNING, [PLAIN])).toEqual([
    preformatted(
      'curl -sS -i --globoff --path-as-is -X POST -H "authorization: Bearer $PLUMBLINE_KEY" http://127.0.0.1:80/api/v1/swap/build',
    ),
    terms([RESPONSE]),
  ])
})

test('after the service has ended no line looks as if it could be run, and the one that helps is shown', () => {
  expect(shown(null, [PLAIN])).toEqual([UNSENT, HINT])
})

test('a command without --keep-running is not advised to use it', () => {
  expect(shown(null, [PLAIN], 'property')).toEqual([UNSENT])
})

test('the last request of the case that left the chain is a curl line with its own key; those before it are not', () => {
  expect(shown(LEFT, [OF_CASE, { ...OF_CASE }])).toEqual([
    UNSENT,
    paragraph('no curl line: the case went on after it'),
    { kind: 'code', text: expect.stringContaining('Bearer $PLUMBLINE_KEY_TWO"') },
    terms([RESPONSE]),
  ])
})

test.each<[string, Exchange, string, boolean]>([
  ['the chain of its case', OF_CASE, 'it depends on the chain and the builds of its case', true],
  [
    'a key that no variable holds',
    exchange({ key: null, obstacle: 'key' }),
    "it carries a key that is none of the target's",
    false,
  ],
  ['a budget', exchange({ key: 'one', obstacle: 'budget' }), 'the budget that refused it refills', false],
  [
    'a body that was cut',
    exchange({ key: 'one', obstacle: null }, '{"a":… (cut: 900000 bytes in all)'),
    'only the beginning of the request is kept',
    false,
  ],
  [
    'what a file of before does not say',
    exchange('absent'),
    'it depends on the chain and the builds of that moment',
    false,
  ],
])('a request that depends on %s is shown without a curl line', (_, one, why, helped) => {
  expect(shown(RUNNING, [one])).toEqual([
    expect.objectContaining({ kind: 'terms' }),
    paragraph(`no curl line: ${why}`),
    ...(helped ? [HINT] : []),
  ])
})

test.each([
  ["npx plumbline conform --start './it' --seed 7", "npx plumbline conform --start './it' --seed 7"],
  ["plumbline conform reference --seed 1 --only 'a.*' --skip 'c'", null],
  ["plumbline conform reference --seed 1 --only 'a.*' --only 'it'\\''s' --skip 'c' --shard 2/5", null],
])('one case of a run is run again without what else the run chose: %s', (replay, whole) => {
  expect(caseCommand(replay, 'x.y')).toBe(`${whole ?? 'plumbline conform reference --seed 1'} --only x.y`)
})
