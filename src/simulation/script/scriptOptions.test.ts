import { expect, it } from 'vitest'
import { generateScript } from './randomScript.ts'
import { generateOptions } from './scriptOptions.ts'

const SEEDS = Array.from({ length: 200 }, (_, seed) => seed)

it('derives all frequencies of a script from the seed', () => {
  expect(generateOptions(5, {})).toEqual(generateOptions(5, {}))
  const options = SEEDS.map((seed) => generateOptions(seed, {}))
  for (const name of Object.keys(options[0] ?? {}) as (keyof (typeof options)[number])[])
    expect(new Set(options.map((each) => each[name])).size, name).toBeGreaterThan(1)
  expect(generateScript(5)).not.toEqual(generateScript(6))
})

it('leaves out what needs in-process access where only the chain can be reached', () => {
  const options = SEEDS.map((seed) => generateOptions(seed, { onChain: true }))
  expect(options.every(({ crash, lineFault, budget }) => crash + lineFault + budget === 0)).toBe(true)
  expect(options.some(({ reorg, race }) => reorg > 0 && race > 0)).toBe(true)
})
