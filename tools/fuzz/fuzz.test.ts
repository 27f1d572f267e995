import { expect, it } from 'vitest'
import { formatBaseUnits } from '../../src/oracles/decimal.ts'
import { sameAddress } from '../../src/oracles/verdict.ts'
import { readCorpus } from './corpus.ts'
import { Coverage } from './coverage.ts'
import { errorOf, fuzz, startOf } from './fuzz.ts'
import { type Input, textOf } from './input.ts'
import type { Target } from './target.ts'
import { TARGETS } from './targets.ts'

const SEED = 1
/** The long run is `npm run fuzz`. */
const INPUTS: Readonly<Record<string, number>> = { recording: 5, rpc: 30, http: 80, judges: 40 }
const INPUTS_ELSE = 100

it.each(Object.keys(TARGETS))('%s: holds for every input of the corpus, and for new ones', async (name) => {
  const target = await (TARGETS[name] as () => Target | Promise<Target>)()
  try {
    const corpus = readCorpus(name)
    for (const input of startOf(target, corpus)) {
      const error = await errorOf(target, input)
      expect(error, `tools/fuzz/corpus/${name}.ndjson: ${JSON.stringify(input)}`).toBeNull()
    }
    const inputs = INPUTS[name] ?? INPUTS_ELSE
    const { findings } = await fuzz(target, { seed: SEED, inputs, corpus, coverage: null })
    const told = findings.map(
      ({ at, input, message }) =>
        `seed ${SEED}, input ${at}; replay: npm run fuzz -- --target ${name} --seed ${SEED} --plain --at ${at}\nsmallest: ${JSON.stringify(input)}\n${message}`,
    )
    expect(told.join('\n\n')).toBe('')
  } finally {
    await target.stop?.()
  }
})

it('finds a mistake that takes two members to show, and makes it small', async () => {
  const target: Target = {
    name: 'example',
    about: 'an example',
    bases: { plain: { a: 1, b: 'x', c: [1, 2, 3], d: { e: 'f' } } },
    words: [],
    editsText: false,
    run: async (text) => {
      const { a, b } = (JSON.parse(text) ?? {}) as Record<string, unknown>
      if (typeof a === 'string' && typeof b === 'number') throw new TypeError('both')
    },
  }
  const { findings } = await fuzz(target, { seed: SEED, inputs: 3_000, corpus: [], coverage: null })
  expect(findings.map(({ key }) => key.split(' ')[0])).toEqual(['TypeError'])
  expect(findings[0]?.input.edits.length).toBeLessThanOrEqual(3)
})

it('counts a block as new once', () => {
  const coverage = new Coverage()
  const first = () => sameAddress('0xAB', '0xab')
  const other = () => formatBaseUnits(10n, 1)
  coverage.clear()
  expect(first()).toBe(true)
  expect(coverage.peek()).toBeGreaterThan(0)
  expect(first()).toBe(true)
  expect(coverage.take()).toBeGreaterThan(0)
  expect(first()).toBe(true)
  expect(coverage.take()).toBe(0)
  expect(other()).toBe('1')
  expect(coverage.take()).toBeGreaterThan(0)
  coverage.stop()
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
