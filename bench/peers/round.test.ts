import { afterAll, beforeAll, expect, it } from 'vitest'
import { createWorld, type World } from '../../src/simulation/world/world.ts'
import { describeWork, isolationOf } from './compare.ts'
import { differenceOf, runRound, type Work } from './round.ts'

let world: World
let work: Work
beforeAll(async () => {
  world = await createWorld({ seed: 1 })
  work = await describeWork(world)
})
afterAll(() => world.stop())

it('leaves the same evidence in every round, of a swap that is deep enough', async () => {
  const isolation = isolationOf(world)
  const { evidence } = await runRound(isolation, work)
  expect(evidence).toMatchObject({ 'swap succeeded': 'true', 'depth of the swap': '12', 'nonce before': '0' })
  expect(differenceOf(evidence, (await runRound(isolation, work)).evidence)).toBe(null)
})

it('does not count a peer whose tests are not isolated, or that mines too little', async () => {
  const isolation = isolationOf(world)
  const { evidence } = await runRound(isolation, work)
  const chain = await isolation.next()
  const mining = { ...chain, mine: () => chain.mine(1) }
  const shared = { next: async () => mining, close: async () => {} }
  const lazy = await runRound(shared, work)
  expect(differenceOf(evidence, lazy.evidence)).toContain('blocks mined: 1, expected 12')
  const second = await runRound(shared, work)
  expect(differenceOf(evidence, second.evidence)).toContain('nonce before: 1, expected 0')
})
