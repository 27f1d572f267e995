import { expect, test } from 'vitest'
import type { Hop } from '../spec/wire.ts'
import { judgeHops } from './hops.ts'
import { route } from './testdata/honest.ts'
import { failedRequirements } from './verdict.ts'

const hop = (from: string, to: string, share = 1, dex = 'venue_a'): Hop => ({
  from,
  to,
  dex,
  dexName: 'A',
  share,
})
const facts = (...hops: Hop[]) => ({
  route: { ...route, hops },
  from: 'ETH',
  to: 'USDG',
  twins: [['ETH', 'WETH']],
})

test.each([
  ['one', facts(hop('ETH', 'USDG'))],
  ['one through the wrapped twin', facts(hop('WETH', 'USDG'))],
  ['two', facts(hop('ETH', 'DUSD'), hop('DUSD', 'USDG'))],
  ['two beside one another', facts(hop('ETH', 'USDG', 0.1), hop('ETH', 'USDG', 0.9))],
])('honest hops: %s', (_case, honest) => {
  expect(failedRequirements(judgeHops(honest))).toEqual([])
})

test.each([
  ['start elsewhere', facts(hop('DUSD', 'USDG')), ['hops.path']],
  ['end elsewhere', facts(hop('ETH', 'DUSD')), ['hops.path']],
  ['have a gap', facts(hop('ETH', 'DUSD'), hop('WBTC', 'USDG')), ['hops.path']],
  ['run backwards', facts(hop('USDG', 'ETH')), ['hops.path']],
  [
    'name a token between by its address',
    facts(hop('ETH', `0x${'ab'.repeat(20)}`), hop(`0x${'ab'.repeat(20)}`, 'USDG')),
    ['hops.from', 'hops.to'],
  ],
  ['name a venue by its label', facts(hop('ETH', 'USDG', 1, 'Uniswap')), ['hops.dex']],
  ['give a share in percent', facts(hop('ETH', 'USDG', 100)), ['hops.share']],
  [
    'split the share over two steps',
    facts(hop('ETH', 'DUSD', 0.5), hop('DUSD', 'USDG', 0.5)),
    ['hops.share'],
  ],
])('catches a service whose hops %s', (_broken, broken, failed) => {
  expect(failedRequirements(judgeHops(broken))).toEqual(failed)
})

test('shares beside one another are written down, with whether they sum to one', () => {
  const seen = (shares: readonly [number, number]) =>
    judgeHops(facts(hop('ETH', 'USDG', shares[0]), hop('ETH', 'USDG', shares[1]))).find(
      (verdict) => verdict.requirement === 'hops.meaning',
    )?.seen
  expect(seen([0.1, 0.9])).toContain('"sumsToOne":true')
  expect(seen([0.5, 0.6])).toContain('"sumsToOne":false')
})

test('a hop of another venue than the engine is written down', () => {
  const verdicts = judgeHops(facts(hop('ETH', 'USDG', 1, 'venue_b')))
  expect(verdicts.map((verdict) => verdict.requirement)).toContain('hops.meaning')
  expect(failedRequirements(verdicts)).toEqual([])
})
