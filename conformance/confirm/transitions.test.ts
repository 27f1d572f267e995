import { expect, it } from 'vitest'
import { everyTransition, planWalks } from './transitions.ts'

const WALKS = planWalks()

it('the walks meet every transition of a report, each first in one of them', () => {
  const met = WALKS.flatMap(({ meets }) => meets)
  expect(new Set(met)).toEqual(everyTransition())
  expect(new Set(met).size).toBe(met.length)
})

it('the transitions are those of §4.3: reported or not, by whom, wherever a transaction can be', () => {
  const all = everyTransition()
  for (const transition of [
    'matches, reported nothing, unsent, now in: report by own',
    'matches, reported early, pool, sent in, now in: mine late',
    'matches, reported early, 11, mined in, sent in, now in: orphan',
    'matches, reported credited, 13, mined in, sent in, now in: report by stranger',
    'matches, reported rejected, gone, now in: report by silent',
    'differs, reported early, 13, mined in, sent in, now after: report by own',
    'reverts, reported rejected, 13, mined after, sent after, now after: orphan',
  ])
    expect(all).toContain(transition)
})

it('a chain moves in each walk as it can: nothing is mined that was not sent, and nothing is removed that was not mined', () => {
  for (const { moves } of WALKS) {
    let place = 'unsent'
    for (const { does, to } of moves) {
      if (does === 'send') expect(['unsent', 'gone']).toContain(place)
      if (does === 'mine') expect(['pool', '1', '11']).toContain(place)
      if (does === 'orphan') expect(['1', '11', '13']).toContain(place)
      place = to.place
    }
  }
})

it('every walk reports its first transaction before the first move, and every one at some stop', () => {
  for (const { swaps, moves, stops } of WALKS) {
    expect(stops).toHaveLength(moves.length + 1)
    expect(stops[0]).toContainEqual({ swap: 0, by: 'own' })
    for (const swap of swaps.keys()) expect(stops.flat()).toContainEqual({ swap, by: 'own' })
  }
})
