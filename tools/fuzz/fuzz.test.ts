import { expect, it } from 'vitest'
import { fuzz } from './fuzz.ts'
import { nested, repeated, textOf } from './input.ts'
import type { Target } from './target.ts'
import { TARGETS } from './targets.ts'

const SEED = 1
/** The long run is `npm run fuzz`. */
const RUNS: Readonly<Record<string, number>> = { recording: 5, rpc: 30, http: 80, judges: 40 }
const RUNS_ELSE = 100

it.each(Object.keys(TARGETS))('%s: holds for every input of the corpus, and for new ones', async (name) => {
  const target = await (TARGETS[name] as () => Target | Promise<Target>)()
  try {
    const finding = await fuzz(name, target, { seed: SEED, runs: RUNS[name] ?? RUNS_ELSE })
    const { replay, input, message } = finding ?? {}
    expect(finding, `${replay}\nminimal input: ${JSON.stringify(input)}\n${message}`).toBeNull()
  } finally {
    await target.stop?.()
  }
})

it('finds a mistake that takes two members to show, shrinks it, and runs it again by its path', async () => {
  const target: Target = {
    bases: { plain: { a: 1, b: 'x', c: [1, 2, 3], d: { e: 'f' } } },
    words: [],
    editsText: false,
    run: async (text) => {
      const { a, b } = (JSON.parse(text) ?? {}) as Record<string, unknown>
      if (typeof a === 'string' && typeof b === 'number') throw new TypeError('both')
    },
  }
  const finding = await fuzz('example', target, { seed: SEED, runs: 3_000 })
  expect(finding?.message).toMatch(/^TypeError: both/)
  const { c, d } = JSON.parse(finding?.input.text ?? '')
  expect({ c, d }).toEqual({ c: [1, 2, 3], d: { e: 'f' } })
  const [, path = ''] = /--path (\S+)$/.exec(finding?.replay ?? '') ?? []
  expect((await fuzz('example', target, { seed: SEED, runs: 1, path }))?.input).toEqual(finding?.input)
})

it('writes what is nested or repeated too often for a value', () => {
  const value = { list: [nested(3, '['), nested(2, '{')], text: repeated(3, 'ab') }
  expect(textOf(value)).toBe('{"list":[[[[0]]],{"a":{"a":0}}],"text":"ababab"}')
})
