import { expect, it } from 'vitest'
import type { Json } from '../../src/runner/families/shrinkJson.ts'
import { nested, textOf } from './input.ts'
import type { Target } from './target.ts'
import { TARGETS } from './targets.ts'
import { countSteps } from './testing/countedSteps.ts'

const SMALL = 8
const FACTOR = 8
/** Maximum growth: quadratic work would grow by 64, a sort by about 12. */
const GROWTH_MAX = 24
/** Length in characters of a word that is repeated to grow a text and compared with others. */
const WORD = 4_000

// biome-ignore lint/suspicious/noExplicitAny: what a file is, is checked by the program that reads it
type File = any
const times = (count: number, list: readonly Json[]): Json[] =>
  Array.from({ length: count }, () => list).flat()

/** Files that grow in one place, by target. */
const GROWING: Readonly<Record<string, readonly ((file: File, size: number) => Json)[]>> = {
  manifest: [
    (file, size) => ({ ...file, registry: times(size, file.registry) }),
    (file, size) => ({ ...file, ['a'.repeat(size * WORD)]: 1 }),
    (file, size) => ({ ...file, feeWallet: '0'.repeat(size * WORD) }),
  ],
  capabilities: [
    (file, size) => ({ ...file, capabilities: times(size, file.capabilities) }),
    (file, size) => ({ ...file, capabilities: ['a'.repeat(size * WORD)] }),
    (file, size) => ({ ...file, ['b'.repeat(size * WORD)]: 1 }),
  ],
  keys: [
    ({ keys, ...file }, size) => ({
      ...file,
      keys: Object.fromEntries(
        times(size, Object.entries(keys as object)).map((entry, index) => [`${index}`, (entry as Json[])[1]]),
      ) as Json,
    }),
    ({ keys, ...file }, size) => ({
      ...file,
      keys: { ...keys, one: { ...keys.one, secret: keys.one.secret.repeat(size) } },
    }),
  ],
  baseline: [
    (file, size) => ({ ...file, entries: times(size * 10, file.entries) }),
    (file, size) => ({ ...file, entries: [{ ...file.entries[0], case: 'c'.repeat(size * WORD) }] }),
  ],
  results: [
    (file, size) => ({ ...file, requirements: times(size * 10, file.requirements) }),
    (file, size) => {
      const copy = structuredClone(file)
      const { failure } = copy.suites[0].cases[1]
      failure.exchanges = times(size * 10, failure.exchanges)
      return copy
    },
  ],
  recording: [(file, size) => ({ ...file, schema: nested(size * WORD, '[') })],
  scenario: [
    (file, size) => ({ ...file, steps: times(size * 4, file.steps) }),
    (file, size) => ({ ...file, steps: nested(size * 20, '[') }),
  ],
}

const takeSteps = countSteps()

it.each(Object.entries(GROWING))(
  '%s: reading takes no more steps than the file has size',
  async (name, changes) => {
    const target = await (TARGETS[name] as () => Target | Promise<Target>)()
    const base = Object.keys(target.bases).at(-1) ?? ''
    try {
      for (const [index, change] of changes.entries()) {
        const stepsFor = async (size: number): Promise<number> => {
          const text = textOf(change(target.bases[base], size))
          takeSteps()
          await target.run(text, base)
          return takeSteps()
        }
        // One-time work happens here.
        await stepsFor(SMALL)
        const [small, large] = [await stepsFor(SMALL), await stepsFor(SMALL * FACTOR)]
        expect(large / small, `change ${index}: ${small} to ${large} steps`).toBeLessThan(GROWTH_MAX)
      }
    } finally {
      await target.stop?.()
    }
  },
)
