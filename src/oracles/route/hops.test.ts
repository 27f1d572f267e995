import { expect, test } from 'vitest'
import type { Hop } from '../../spec/wire.ts'
import { route } from '../testdata/honest.ts'
import { failedRequirements } from '../verdict.ts'
import { judgeHops } from './hops.ts'

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
  interchangeable: [['ETH', 'WETH']],
})

test.each([
  ['one', facts(hop('ETH', 'USDG'))],
  ['one through the wrapped twin', facts(hop('WETH', 'USDG'))],
  ['two', facts(hop('ETH', 'DUSD'), hop('DUSD', 'USDG'))],
  ['two in parallel', facts(hop('ETH', 'USDG', 0.1), hop('ETH', 'USDG', 0.9))],
  ['two with half of the whole each', facts(hop('ETH', 'DUSD', 0.5), hop('DUSD', 'USDG', 0.5))],
  [
    'two ways in parallel',
    facts(hop('ETH', 'DUSD', 0.4), hop('DUSD', 'USDG', 1), hop('WETH', 'WBTC', 0.6), hop('WBTC', 'USDG', 1)),
  ],
])('honest hops: %s', (_case, honest) => {
  expect(failedRequirements(judgeHops(honest))).toEqual([])
})

test.each([
  ['start elsewhere', facts(hop('DUSD', 'USDG')), ['hops.path']],
  ['end elsewhere', facts(hop('ETH', 'DUSD')), ['hops.path']],
  ['have a gap', facts(hop('ETH', 'DUSD'), hop('WBTC', 'USDG')), ['hops.path']],
  ['all start from the token sold', facts(hop('ETH', 'DUSD'), hop('ETH', 'USDG')), ['hops.path']],
  ['never leave the token sold', facts(hop('DUSD', 'WBTC'), hop('WBTC', 'DUSD')), ['hops.path']],
  ['run backwards', facts(hop('USDG', 'ETH')), ['hops.path']],
  [
    'name a token between by its address',
    facts(hop('ETH', `0x${'ab'.repeat(20)}`), hop(`0x${'ab'.repeat(20)}`, 'USDG')),
    ['hops.from', 'hops.to'],
  ],
  ['name a venue by its label', facts(hop('ETH', 'USDG', 1, 'Uniswap')), ['hops.dex']],
  ['give a share in percent', facts(hop('ETH', 'USDG', 100)), ['hops.share']],
])('catches a service whose hops %s', (_broken, broken, failed) => {
  expect(failedRequirements(judgeHops(broken))).toEqual(failed)
})

test('the shares of several hops are written down', () => {
  const verdicts = judgeHops(facts(hop('ETH', 'DUSD', 0.5), hop('DUSD', 'USDG', 0.5)))
  expect(verdicts.find(({ requirement }) => requirement === 'hops.meaning')?.actual).toBe(
    'ETH→DUSD 0.5, DUSD→USDG 0.5',
  )
})

test('a hop of another venue than the engine is written down', () => {
  const verdicts = judgeHops(facts(hop('ETH', 'USDG', 1, 'venue_b')))
  expect(verdicts.map((verdict) => verdict.requirement)).toContain('hops.meaning')
  expect(failedRequirements(verdicts)).toEqual([])
})
