import { Session } from 'node:inspector'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Edit, textOf } from './input.ts'
import type { Target } from './target.ts'
import { TARGETS } from './targets.ts'

const SMALL = 8
const FACTOR = 8
/** Work that grows with the square of the size would grow by 64; a sort of it by about 12. */
const GROWTH_MAX = 24
/** What a text is repeated to: a word of this many characters is compared with others. */
const WORD = 4_000

/** Files that grow in one place, by target. */
const GROWING: Readonly<Record<string, readonly ((size: number) => Edit)[]>> = {
  manifest: [
    (size) => ({ repeat: ['registry'], times: size }),
    (size) => ({ set: ['a'.repeat(size * WORD)], to: 1 }),
    (size) => ({ set: ['feeWallet'], to: '0'.repeat(size * WORD) }),
  ],
  capabilities: [
    (size) => ({ repeat: ['capabilities'], times: size }),
    (size) => ({ set: ['capabilities', 0], to: 'a'.repeat(size * WORD) }),
    (size) => ({ set: ['b'.repeat(size * WORD)], to: 1 }),
  ],
  keys: [
    (size) => ({ repeat: ['keys'], times: size }),
    (size) => ({ repeat: ['keys', 'one', 'secret'], times: size }),
  ],
  baseline: [
    (size) => ({ repeat: ['entries'], times: size * 10 }),
    (size) => ({ set: ['entries', 0, 'case'], to: 'c'.repeat(size * WORD) }),
  ],
  results: [
    (size) => ({ repeat: ['requirements'], times: size * 10 }),
    (size) => ({ repeat: ['suites', 0, 'cases', 1, 'failure', 'exchanges'], times: size * 10 }),
  ],
  recording: [(size) => ({ nest: ['schema'], depth: size * WORD, as: 'list' })],
  scenario: [
    (size) => ({ repeat: ['steps'], times: size * 4 }),
    (size) => ({ nest: ['steps'], depth: size * 20, as: 'list' }),
  ],
}

const session = new Session()
beforeAll(() => {
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
})
afterAll(() => session.disconnect())

/** Returns how often blocks of code have run since the last call, as V8 counts them. */
function takeSteps(): number {
  let steps = 0
  session.post('Profiler.takePreciseCoverage', (error, { result }) => {
    if (error !== null) throw error
    const ranges = result.flatMap(({ functions }) => functions.flatMap((each) => each.ranges))
    steps = ranges.reduce((sum, { count }) => sum + count, 0)
  })
  return steps
}

it.each(Object.entries(GROWING))(
  '%s: reading takes no more steps than the file has size',
  async (name, edits) => {
    const target = await (TARGETS[name] as () => Target | Promise<Target>)()
    const base = Object.keys(target.bases).at(-1) ?? ''
    try {
      for (const edit of edits) {
        const stepsFor = async (size: number): Promise<number> => {
          const text = textOf(target.bases, { base, edits: [edit(size)] })
          takeSteps()
          await target.run(text, base)
          return takeSteps()
        }
        // What happens only once happens here.
        await stepsFor(SMALL)
        const [small, large] = [await stepsFor(SMALL), await stepsFor(SMALL * FACTOR)]
        expect(
          large / small,
          `${JSON.stringify(edit(1)).slice(0, 60)}: ${small} to ${large} steps`,
        ).toBeLessThan(GROWTH_MAX)
      }
    } finally {
      await target.stop?.()
    }
  },
)
