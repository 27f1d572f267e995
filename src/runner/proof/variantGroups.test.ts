import { afterAll, beforeAll, expect, test } from 'vitest'
import { changeBody, changeResponse, type Json } from '../../../conformance/defects/helpers/wire.ts'
import { conformanceCases } from '../../../conformance/index.ts'
import { around } from '../../service/testing.ts'
import { createWorld, type World } from '../../simulation/world/world.ts'
import { Reference } from './service.ts'
import { type Variant, variant } from './variant.ts'
import { groupsOf, proveVariants } from './variantGroups.ts'

const CASES = ['quote.upstream.down', 'service.json-bodies', 'build.serves.slippage.default'].map((id) => {
  const found = conformanceCases().find((one) => one.id === id)
  if (found === undefined) throw new RangeError(`there is no case ${id}`)
  return found
})

/** Gives the refusals of an endpoint another error text. */
const saying = (endpoint: 'quote' | 'confirm', text: string) =>
  changeResponse(endpoint, endpoint === 'quote' ? 502 : 400, (answer) => ({
    ...answer,
    body: JSON.stringify({ error: text }),
  }))
const onChain = (chainId: number) =>
  changeBody('build', (body: Json) => {
    if (body.tx !== undefined) body.tx.chainId = chainId
  })

const polite = variant('polite', 'quotes are refused politely', ['quote.errors'], saying('quote', 'sorry'))
const wrongChain = variant(
  'wrong-chain',
  'reports are refused in other words, and builds are for chain 1',
  ['confirm.error-body'],
  around(saying('confirm', 'no'), onChain(1)),
)

let world: World
beforeAll(async () => {
  world = await createWorld({ seed: 1 })
})
afterAll(() => world.stop())

const objectionsTo = async (group: readonly Variant[]) => {
  const outcomes = await proveVariants(world, group, CASES, new Reference())
  return Object.entries(outcomes).map(([id, { seen, objections }]) => ({
    id,
    seen,
    by: objections.map((one) => one.case),
  }))
}

test('a case that a group does not pass counts against the variant that fails it alone', async () => {
  expect(await objectionsTo([polite, wrongChain])).toEqual([
    { id: 'variant.polite', seen: true, by: [] },
    { id: 'variant.wrong-chain', seen: true, by: ['build.serves.slippage.default'] },
  ])
})

test('a variant whose difference another one of the group hides is judged alone', async () => {
  const hiding = variant(
    'hiding',
    'reports are refused in its own words, and builds are for chain 4663',
    ['quote.errors'],
    around(around(saying('quote', 'sorry'), saying('confirm', 'never')), onChain(4_663)),
  )
  expect(await objectionsTo([wrongChain, hiding])).toEqual([
    { id: 'variant.wrong-chain', seen: true, by: ['build.serves.slippage.default'] },
    { id: 'variant.hiding', seen: true, by: [] },
  ])
})

test('variants that differ under the same requirement or declare the same thing go to different groups, each to the smallest', () => {
  const all = [
    variant('a', 'a', ['quote.errors'], {}),
    variant('b', 'b', ['quote.errors'], {}),
    variant('c', 'c', ['confirm.error-body'], {}, { capabilities: [] as never }),
    variant('d', 'd', ['tx.chain-id'], {}, { capabilities: [] as never }),
    variant('e', 'e', ['tx.to'], {}),
    variant('f', 'f', ['tx.data'], {}),
  ]
  expect(groupsOf(all).map((group) => group.map(({ title }) => title).join(''))).toEqual(['ace', 'bdf'])
})
