import { expect, test } from 'vitest'
import { firstDifferentEvent } from './divergence.ts'
import { layOut } from './layout.ts'
import type { EventOf, Timeline, TimelineEvent } from './model.ts'

const at = { step: '0', atMs: 0 }
const TX = '0xaa'

function block(
  hash: string,
  parent: string,
  transactions: readonly string[] = [],
  timestampS = 0,
): EventOf<'block'> {
  return {
    kind: 'block',
    number: Number(hash.replace(/\D/g, '')),
    hash,
    parent,
    timestampS,
    transactions: transactions.map((held) => ({ hash: held, succeeded: true, changes: [] })),
    ...at,
  }
}

/** Returns blocks `b1` to `bN`, one on another, on top of the base. */
const line = (count: number, held: Readonly<Record<number, string>> = {}) =>
  Array.from({ length: count }, (_, index) => {
    const number = index + 1
    const own = held[number]
    return block(`b${number}`, number === 1 ? 'base' : `b${number - 1}`, own === undefined ? [] : [own])
  })

function timelineOf(...events: readonly TimelineEvent[]): Timeline {
  return {
    id: 'timeline',
    title: 'timeline',
    base: { number: 0, hash: 'base', timestampS: 0 },
    builds: [{ name: 'swap', builtAtMs: 0, validUntilMs: 10_000, confirmations: 12 }],
    transactions: [{ name: 'tx', hash: TX, build: 'swap', to: null, valueRaw: '0', call: null, data: '0x' }],
    events: [...events],
    problem: null,
  }
}

const sent: TimelineEvent = { kind: 'sent', transaction: TX, replaces: null, ...at }
const branches = (timeline: Timeline) =>
  Object.fromEntries([...layOut(timeline).chain.blocks].map(([hash, block_]) => [hash, block_.column]))

test('an orphaned branch is drawn next to the canonical one', () => {
  expect(branches(timelineOf(...line(3), block('c2', 'b1'), block('c3', 'c2')))).toEqual({
    b1: 0,
    b2: 1,
    b3: 1,
    c2: 0,
    c3: 0,
  })
})

test('of two orphaned branches, the one that lasted longer is nearer', () => {
  const twice = timelineOf(...line(3), block('c3', 'b2'), block('d2', 'b1'), block('d3', 'd2'))
  expect(branches(twice)).toEqual({ b1: 0, b2: 1, b3: 2, c3: 1, d2: 0, d3: 0 })
})

test('a head that moves back orphans blocks without replacing them', () => {
  const back = timelineOf(...line(3), { kind: 'head', hash: 'b1', ...at })
  expect(branches(back)).toEqual({ b1: 0, b2: 1, b3: 1 })
  expect(layOut(back).chain.lengthAfter.at(-1)).toBe(1)
})

test('long runs of plain blocks are folded, but never the block that a branch forks from', () => {
  const rows = (timeline: Timeline) => layOut(timeline).rows.map(({ events }) => events.length)
  expect(rows(timelineOf(...line(10)))).toEqual([1, 8, 1])
  expect(rows(timelineOf(...line(10), block('c6', 'b5')))).toEqual([1, 3, 1, 1, 3, 1, 1])
  expect(rows(timelineOf(...line(3)))).toEqual([1, 1, 1])
})

test('a transaction is pending, mined, gone with its block, and mined again', () => {
  const [track] = layOut(
    timelineOf(sent, ...line(2, { 1: TX }), block('c1', 'base'), block('c2', 'c1', [TX])),
  ).tracks
  expect(track?.turns.map(({ row, state, by }) => [row, state, by])).toEqual([
    [0, 'pending', null],
    [1, 'mined', 'b1'],
    [3, 'gone', 'b1'],
    [4, 'mined', 'c2'],
  ])
})

test('a transaction that is mined again in the replacing block itself moves there', () => {
  const [track] = layOut(timelineOf(sent, ...line(1, { 1: TX }), block('c1', 'base', [TX]))).tracks
  expect(track?.turns.map(({ state }) => state)).toEqual(['pending', 'mined', 'gone', 'mined'])
})

test.each([
  ['twelve blocks are twelve deep', line(12, { 1: TX }), { reached: 12, broken: false }],
  ['eleven are not', line(11, { 1: TX }), { reached: 11, broken: false }],
  [
    'depth is lost with the block',
    [...line(11, { 1: TX }), block('c1', 'base')],
    { reached: 11, broken: true },
  ],
] as const)('%s', (_name, events, depth) => {
  expect(layOut(timelineOf(sent, ...events)).depths).toMatchObject([{ ...depth, needed: 12 }])
})

test.each([
  ['ends before the first block after it', 11, true],
  ['still holds in its last second', 10, false],
] as const)('a window %s', (_name, timestampS, ended) => {
  const answer: TimelineEvent = { kind: 'answer', id: 0, status: 200, note: '', ...at }
  const { windows, rows } = layOut(
    timelineOf(answer, block('b1', 'base', [], 1), block('b2', 'b1', [], timestampS)),
  )
  expect(windows).toEqual([{ build: 'swap', from: 0, to: ended ? 1 : rows.length - 1, ended }])
})

test('two timelines part at their first different event, or where one ends', () => {
  expect(firstDifferentEvent(timelineOf(...line(3)), timelineOf(...line(3)))).toBeNull()
  expect(firstDifferentEvent(timelineOf(...line(3)), timelineOf(...line(2)))).toBe(2)
  expect(firstDifferentEvent(timelineOf(...line(2)), timelineOf(...line(1), block('c2', 'b1')))).toBe(1)
})

test('of exchanges that are alike the first is drawn, and the others are one row; any other stays as it is', () => {
  const exchange = (id: number, status = 404, fault: string | null = null): TimelineEvent[] => [
    {
      ...{ kind: 'request', id, label: 'POST /swap/confirm', ...at },
      exchange: {
        request: { method: 'POST', path: '/', headers: {}, body: null },
        response: { status, headers: {}, body: '' },
      },
    },
    { kind: 'rpc', calls: ['eth_chainId'], fault, ...at },
    { kind: 'answer', id, status, note: '', ...at },
  ]
  const rows = (...events: readonly TimelineEvent[]) =>
    layOut(timelineOf(...events)).rows.map(({ events: own }) => own.length)
  expect(rows(...[0, 1, 2, 3].flatMap((id) => exchange(id)), ...exchange(4, 429))).toEqual([
    ...[1, 1, 1],
    9,
    ...[1, 1, 1],
  ])
  expect(rows(...exchange(0), ...exchange(1))).toEqual([1, 1, 1, 1, 1, 1])
  expect(rows(...[0, 1, 2].flatMap((id) => exchange(id, 404, 'timeout')))).toHaveLength(9)
})
