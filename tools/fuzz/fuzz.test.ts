import { expect, it } from 'vitest'
import { fuzz } from './fuzz.ts'
import { type Input, textOf } from './input.ts'
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
  expect(finding?.input.edits.length).toBeLessThanOrEqual(3)
  const [, path = ''] = /--path (\S+)$/.exec(finding?.replay ?? '') ?? []
  expect((await fuzz('example', target, { seed: SEED, runs: 1, path }))?.input).toEqual(finding?.input)
})

it('makes the same text of an input, whatever its edits are', () => {
  const bases = { base: { list: [1, 2], text: 'abc', deep: { member: true } } }
  const input: Input = {
    base: 'base',
    edits: [
      { set: ['list', 5], to: 9 },
      { set: ['__proto__'], to: { polluted: true } },
      { drop: ['deep', 'absent'] },
      { copy: ['text'], to: ['deep', 'member'] },
      { rename: ['text'], as: 'words' },
      { repeat: ['list'], times: 2 },
      { nest: ['nested'], depth: 3, as: 'list' },
      { text: 1_000, cut: 0, put: ' ' },
    ],
  }
  const text =
    '{"list":[1,2,1,2],"deep":{"member":"abc"},"__proto__":{"polluted":true},"words":"abc","nested":[[[0]]]} '
  expect(textOf(bases, input)).toBe(text)
  expect(textOf(bases, input)).toBe(text)
})
