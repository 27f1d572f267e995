import { Session } from 'node:inspector'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { plumbline } from '../../src/cli/testing/plumbline.ts'
import { temporaryFolder } from '../../src/host/testing/temporaryFolder.ts'
import type { Json } from '../../src/runner/families/shrinkJson.ts'
import { ANSWER } from '../../src/targets/transports/httpTransport.ts'
import { nested, textOf } from './input.ts'
import type { Target } from './target.ts'
import { committed } from './targets/formats.ts'
import { judgesTarget } from './targets/judges.ts'
import { TARGETS } from './targets.ts'

const FACTOR = 8
/** The size at which every place is measured. */
const LARGE = FACTOR ** 2
/** Maximum growth for a size eight times as large: linear work grows by 8, a sort by about 11, quadratic work by 64. */
const GROWTH_MAX = 20
/** Number of steps below which growth does not matter. */
const STEPS_MIN = 30_000
/** The counters of V8 overflow beyond. */
const COUNT_MAX = 2 ** 31
const UNIT = { copies: 4, characters: 400, depth: 400 }

type Path = readonly (string | number)[]
/** Enlarges a value in one place, by this number of entries or members for each unit of size. */
type Grow = (value: Json, path: Path, size: number, members: number) => Json

/** Returns the paths in a value, one for all that differ only in list indices, or in the digests that name blobs. */
function placesIn(value: Json): readonly Path[] {
  const alike = new Map(pathsIn(value, []).map((path) => [path.map(kindOf).join('/'), path]))
  return [...alike.values()]
}

const kindOf = (step: string | number) => (/^(?:\d+|[0-9a-f]{64})$/.test(String(step)) ? 0 : step)

function pathsIn(value: Json, at: Path): readonly Path[] {
  if (typeof value === 'string') return [at]
  if (typeof value !== 'object' || value === null) return []
  const inside = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  return [at, ...inside.flatMap(([name, each]) => pathsIn(each as Json, [...at, name]))]
}

function valueAt(value: Json, path: Path): Json {
  return path.reduce<Json>((inner, step) => Reflect.get(inner as object, step) as Json, value)
}

function changed(value: Json, [first, ...rest]: Path, change: (inner: Json) => Json): Json {
  if (first === undefined) return change(value)
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string | number, Json>
  copy[first] = changed(copy[first] ?? null, rest, change)
  return copy as Json
}

/** Repeats the entries of a list or a text, or adds members like its first to an object. */
const grown: Grow = (value, path, size, members) =>
  changed(value, path, (inner) => {
    if (Array.isArray(inner)) {
      const copies = Math.max(UNIT.copies, Math.ceil(members / (inner.length || 1)))
      return Array.from({ length: size * copies }, () => inner).flat()
    }
    if (typeof inner === 'string')
      return (inner || 'x').repeat(Math.ceil((size * UNIT.characters) / (inner.length || 1)))
    const [first = 0] = Object.values(inner as object)
    const more = Array.from({ length: size * members }, (_, n) => [`more${n}`, first])
    return { ...(inner as object), ...Object.fromEntries(more) }
  })

/** Adds a member with a long name. */
const named: Grow = (value, path, size) =>
  changed(value, path, (inner) => ({ ...(inner as object), ['x'.repeat(size * UNIT.characters)]: 0 }))

/** Replaces a value in one place by nested lists. */
const deepened: Grow = (value, path, size) => changed(value, path, () => nested(size * UNIT.depth, '['))

/** Tests have no time limit: they count steps and processor time, which do not grow on a busy machine. */
vi.setConfig({ testTimeout: 0 })

function isSteep([small = 0, middle = 0, large = 0]: readonly number[]): boolean {
  return large - middle > STEPS_MIN && (large - middle) / Math.max(1, middle - small) > GROWTH_MAX
}

const folder = temporaryFolder()
const RUN = committed('tools/fuzz/bases/results.json')

/** Maximum processor time for judging a response of the maximum size. */
const ANSWER_CPU_S_MAX = 30

/** V8 does not count steps of native loops, so this measures processor time: quadratic work of this size takes minutes. */
it('an answer of the largest size is judged, wherever it is large', async () => {
  const target = await judgesTarget()
  try {
    for (const [base, response] of Object.entries(target.bases))
      for (const place of placesIn(response).filter(([first]) => first === 'body')) {
        const bytes = (size: number) => textOf(grown(response, place, size, 1)).length
        const bytesPerSize = (bytes(11) - bytes(1)) / 10
        const cpuSAt = async (bytesMax: number) => {
          const text = textOf(grown(response, place, Math.floor(bytesMax / bytesPerSize), 1))
          const before = process.cpuUsage()
          await target.run(text, base)
          const { user, system } = process.cpuUsage(before)
          return (user + system) / 1e6
        }
        const smallS = await cpuSAt(ANSWER.bytes / FACTOR)
        // Not even cubic work exceeds the maximum then.
        if (smallS * FACTOR ** 3 < ANSWER_CPU_S_MAX) continue
        expect(await cpuSAt(ANSWER.bytes), `${base}/${place.join('/')}`).toBeLessThan(ANSWER_CPU_S_MAX)
      }
  } finally {
    await target.stop?.()
  }
})

describe('takes no more steps than there is to read, wherever it grows:', () => {
  const session = new Session()
  beforeAll(() => {
    session.connect()
    session.post('Profiler.enable')
    session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  })
  afterAll(() => session.disconnect())

  /** Returns the number of executed blocks of code since its last call, as V8 counts them. */
  function takeSteps(): number {
    let steps = 0
    session.post('Profiler.takePreciseCoverage', (error, { result }) => {
      if (error !== null) throw error
      const ranges = result.flatMap(({ functions }) => functions.flatMap((each) => each.ranges))
      steps = ranges.reduce((sum, { count }) => sum + count, 0)
    })
    return steps
  }

  /**
   * Returns the places in which a value's growth costs its reader too many steps. Places are fine whose large values cost hardly
   * more than the base: comparing all of their parts with each other would take more. So are texts, names and nested
   * lists that do together: of these sizes, one alone would take hundreds of millions.
   */
  async function steepPlaces(
    base: Json,
    read: (value: Json) => Promise<unknown>,
    places = placesIn(base),
    grow = grown,
  ): Promise<readonly string[]> {
    // One-time work happens here.
    for (let times = 0; times < 2; times += 1) await read(base)
    takeSteps()
    await read(base)
    const baseSteps = takeSteps()
    const members = Math.ceil(Math.sqrt(2 * (baseSteps + STEPS_MIN)) / LARGE)
    const stepsAt = async (size: number, ...several: readonly Path[]) => {
      takeSteps()
      for (const place of several)
        await read(grow(base, place, size, members)).catch((error: Error) => {
          throw new Error(`/${place.join('/')}, ${size} times: ${error.message}`)
        })
      return takeSteps()
    }
    const steep: string[] = []
    const measure = async (...several: readonly Path[]): Promise<void> => {
      const large = await stepsAt(LARGE, ...several)
      if (large <= several.length * (baseSteps + STEPS_MIN)) return
      const [place = [], ...others] = several
      if (others.length > 0) {
        for (const each of several) await measure(each)
        return
      }
      const steps = [baseSteps, await stepsAt(LARGE / FACTOR, place), large]
      // Passing a limit makes one step large; the next step shows the cost beyond it.
      if (isSteep(steps) && large < COUNT_MAX / FACTOR ** 2) steps.push(await stepsAt(LARGE * FACTOR, place))
      if (isSteep(steps.slice(-3))) steep.push(`/${place.join('/')}: ${steps.join(', ')} steps`)
    }
    const isLong = (place: Path) => grow !== grown || typeof valueAt(base, place) === 'string'
    await measure(...places.filter(isLong))
    for (const place of places) if (!isLong(place)) await measure(place)
    return steep
  }

  it('judging a response', async () => {
    const target = await judgesTarget()
    try {
      for (const [base, response] of Object.entries(target.bases))
        expect([base, ...(await steepPlaces(response, (value) => target.run(textOf(value), base)))]).toEqual([
          base,
        ])
    } finally {
      await target.stop?.()
    }
  })

  it.each([
    ['manifest', 'manifest'],
    ['capabilities', 'whole'],
    ['keys', 'keys'],
    ['baseline', 'one'],
    ['scenario', 'replacement.changed'],
    ['recording', 'sealed'],
  ])('%s', async (name, base) => {
    const target = await (TARGETS[name] as () => Target | Promise<Target>)()
    const value = target.bases[base] as Json
    const read = (grown: Json) => target.run(textOf(grown), base)
    // A recording has too many texts.
    const places = placesIn(value).filter(
      (place) => name !== 'recording' || Array.isArray(valueAt(value, place)),
    )
    const members = Object.keys(value as object).map((member) => [member])
    try {
      expect(await steepPlaces(value, read, places)).toEqual([])
      expect(await steepPlaces(value, read, [[]], named)).toEqual([])
      expect(await steepPlaces(value, read, members, deepened)).toEqual([])
    } finally {
      await target.stop?.()
    }
  })

  it('rendering a run, and comparing it with another', async () => {
    folder.write('former/results.json', RUN)
    const read = async (value: Json) => {
      folder.write('run/results.json', value)
      await plumbline('report', folder.at('run'))
      await plumbline('diff', folder.at('former'), folder.at('run'))
    }
    expect(await steepPlaces(RUN, read)).toEqual([])
  })
})
