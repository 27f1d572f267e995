import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { layOut } from '../../reporting/timeline/layout.ts'
import { parseRecording } from '../format/file.ts'
import type { Recording } from '../format/schema.ts'
import { compareRecordings } from './compareRecordings.ts'
import { timelineOf } from './fromRecording.ts'

const golden = (name: string): Recording =>
  parseRecording(readFileSync(new URL(`../../../reports/golden/${name}.json`, import.meta.url), 'utf8'))

test('a recording with a reorganisation becomes events: branches, transactions, answers', () => {
  const timeline = timelineOf(golden('reorg.after-recorded'))
  const { chain, tracks, depths } = layOut(timeline)
  const blocks = [...chain.blocks.values()]
  // The scenario mines 13 blocks, replaces them by 13, and mines 14 more.
  expect(blocks.filter(({ orphanedAt }) => orphanedAt !== null)).toHaveLength(13)
  expect(blocks.filter(({ orphanedAt }) => orphanedAt === null)).toHaveLength(27)
  expect(tracks.map(({ name, turns }) => [name, turns.map(({ state }) => state)])).toEqual([
    ['tx', ['pending', 'mined', 'gone', 'pending', 'replaced']],
    ['again', ['pending', 'mined']],
  ])
  expect(depths.map(({ reached, broken }) => [reached, broken])).toEqual([
    [12, false],
    [12, false],
  ])
  const answers = timeline.events.flatMap((event) =>
    event.kind === 'answer' ? [`${event.status} ${event.note}`] : [],
  )
  expect(answers[1]).toBe('200 recorded')
  expect(answers[2]).toBe('200 recorded before')
  expect(answers[3]).toMatch(/^409 /)
})

test('steps that ran within a request appear within it', () => {
  const { events } = timelineOf(golden('reorg.between-check-and-record'))
  const kinds = events.flatMap((event) =>
    event.kind === 'request' || event.kind === 'answer' || (event.kind === 'step' && event.op === 'reorg')
      ? [`${event.kind} ${event.step}`]
      : [],
  )
  const reorganised = kinds.findIndex((kind) => kind.startsWith('step '))
  const [outer] = (kinds[reorganised] ?? '').replace('step ', '').split('/')
  expect(kinds[reorganised - 1]).toBe(`request ${outer}`)
  expect(kinds[reorganised + 1]).toBe(`answer ${outer}`)
})

test('the balance changes of a swap add up to zero for each token', () => {
  for (const name of ['reorg.after-recorded', 'attribution.two-transactions-one-build']) {
    for (const event of timelineOf(golden(name)).events) {
      if (event.kind !== 'block') continue
      for (const { changes } of event.transactions) {
        const sums = new Map<string, bigint>()
        for (const { token, amountRaw } of changes) {
          if (token !== 'ETH' && token !== 'WETH')
            sums.set(token, (sums.get(token) ?? 0n) + BigInt(amountRaw))
        }
        expect([...sums.values()].every((sum) => sum === 0n)).toBe(true)
      }
    }
  }
})

test('a comparison shows the first divergence, then all differences, money first', () => {
  const before = golden('reorg.after-recorded')
  expect(compareRecordings({ name: 'a', recording: before }, { name: 'b', recording: before })).toMatchObject(
    {
      first: null,
      differences: [],
    },
  )
  const after = structuredClone(before)
  const build = after.entries.find((entry) => entry.kind === 'http' && entry.path.endsWith('/build'))
  const confirm = after.entries.find((entry) => entry.kind === 'http' && entry.path.endsWith('/confirm'))
  if (build?.kind !== 'http' || confirm?.kind !== 'http' || !build.answer || !confirm.answer)
    throw new TypeError()
  confirm.answer.status = 202
  const answer = JSON.parse(build.answer.body)
  answer.route.minimumReceived += 1
  build.answer.body = JSON.stringify(answer)

  const { first, differences } = compareRecordings(
    { name: 'a', recording: before },
    { name: 'b', recording: after },
  )
  expect(first).toMatchObject({ entry: build.n, field: 'answer.body' })
  expect(differences.map(({ concern, where }) => [concern, where])).toEqual([
    ['money', 'step 0: route.minimumReceived'],
    ['attribution', 'step 4: status'],
  ])
})

test('a swap is drawn as recorded only where the answer says so', () => {
  const kept = (recording: Recording) =>
    timelineOf(recording).events.filter(
      (event) => event.kind === 'store' && event.what === 'records the swap',
    )
  expect(kept(golden('reorg.after-recorded'))).toHaveLength(1)
  const denied = structuredClone(golden('reorg.after-recorded'))
  for (const entry of denied.entries) {
    if (entry.kind === 'http' && entry.answer !== null)
      entry.answer.body = entry.answer.body.replace('"recorded":true', '"recorded":false')
  }
  expect(kept(denied)).toHaveLength(0)
})

test('every difference is listed, such as a header or a reply of the node, but not the details of equal verdicts', () => {
  const before = golden('reorg.moves-to-later-block')
  const after = structuredClone(before)
  for (const entry of after.entries) {
    if (entry.kind === 'http' && entry.answer !== null)
      entry.answer.headers['cache-control'] = 'public, max-age=60'
    if (entry.kind === 'verdicts')
      entry.verdicts = entry.verdicts.flatMap((one) => {
        if (one.requirement === 'fees.integrator.zero')
          return [{ ...one, outcome: 'observed' as const, actual: '0' }]
        return one.requirement === 'tx.data.minimum' ? [{ ...one, outcome: 'fail' as const }] : [one]
      })
  }
  const trip = after.entries.find(({ kind }) => kind === 'rpc')
  if (trip?.kind !== 'rpc' || trip.replies === null) throw new TypeError()
  trip.replies[1] = { result: '0x77' }
  const { first, differences } = compareRecordings(
    { name: 'a', recording: before },
    { name: 'b', recording: after },
  )
  expect(first).toMatchObject({ entry: 3, field: 'answer.headers.cache-control' })
  expect(differences.map(({ where }) => where.replace(/: round trip.*/, ''))).toEqual([
    'tx.data.minimum, request 0',
    'step 0: header cache-control',
    'step 3: header cache-control',
    'step 5: header cache-control',
    'step 7: header cache-control',
    'step 9: header cache-control',
    `entry ${trip.n}, replies.1.result`,
  ])
})
