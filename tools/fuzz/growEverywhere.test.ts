import { describe, expect, it, vi } from 'vitest'
import { plumbline } from '../../src/cli/testing/plumbline.ts'
import { temporaryFolder } from '../../src/host/testing/temporaryFolder.ts'
import type { Json } from '../../src/runner/families/shrinkJson.ts'
import { ANSWER } from '../../src/targets/transports/httpTransport.ts'
import { textOf } from './input.ts'
import { committed } from './targets/formats.ts'
import { judgesTarget } from './targets/judges.ts'
import { recordingTarget } from './targets/recordings.ts'
import { countSteps } from './testing/countedSteps.ts'

const FACTOR = 8
const SIZES = [FACTOR, FACTOR ** 2] as const
/** Maximum growth for a size eight times as large: linear work grows by 8, a sort by about 11, quadratic work by 64. */
const GROWTH_MAX = 20
/** Number of steps below which growth does not matter. */
const STEPS_MIN = 30_000
const UNIT = { entries: 4, characters: 400, members: 8 }

type Path = readonly (string | number)[]

/** Returns the paths in a value, one for all that differ only in list indices. */
function placesIn(value: Json): readonly Path[] {
  const alike = new Map(
    pathsIn(value, []).map((path) => [path.map((step) => (isPlace(step) ? 0 : step)).join('/'), path]),
  )
  return [...alike.values()]
}

const isPlace = (step: string | number) => typeof step === 'number'

function pathsIn(value: Json, at: Path): readonly Path[] {
  if (typeof value === 'string') return [at]
  if (typeof value !== 'object' || value === null) return []
  const inside = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  return [at, ...inside.flatMap(([name, each]) => pathsIn(each as Json, [...at, name]))]
}

function valueAt(value: Json, path: Path): Json {
  return path.reduce<Json>((inner, step) => Reflect.get(inner as object, step) as Json, value)
}

/** Returns a value enlarged in one place: a list by its entries, a text by repetition, an object by members. */
function grown(value: Json, [first, ...rest]: Path, size: number): Json {
  if (first !== undefined) {
    const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<
      string | number,
      Json
    >
    copy[first] = grown(copy[first] ?? null, rest, size)
    return copy as Json
  }
  if (Array.isArray(value)) return Array.from({ length: size * UNIT.entries }, () => value).flat()
  if (typeof value === 'string')
    return (value || 'x').repeat(Math.ceil((size * UNIT.characters) / (value.length || 1)))
  const more = Array.from({ length: size * UNIT.members }, (_, n) => [`more${n}`, n])
  return { ...(value as object), ...Object.fromEntries(more) }
}

/** Tests have no time limit: they count steps and processor time, which do not grow on a busy machine. */
vi.setConfig({ testTimeout: 0 })

function isSteep([small = 0, middle = 0, large = 0]: readonly number[]): boolean {
  return large - middle > STEPS_MIN && (large - middle) / Math.max(1, middle - small) > GROWTH_MAX
}

const folder = temporaryFolder()
const RUN = committed('tools/fuzz/bases/results.json')

/** Maximum processor time for judging one response; the largest takes about a second. */
const ANSWER_CPU_S_MAX = 30

/** V8 does not count steps of native loops, so this measures processor time: quadratic work of this size takes minutes. */
it('an answer of the largest size is judged, wherever it is large', async () => {
  const target = await judgesTarget()
  try {
    for (const [base, response] of Object.entries(target.bases))
      for (const place of placesIn(response).filter(([first]) => first === 'body')) {
        const bytes = (size: number) => textOf(grown(response, place, size)).length
        const size = Math.floor(ANSWER.bytes / (bytes(101) - bytes(1))) * 100
        const text = textOf(grown(response, place, size))
        const before = process.cpuUsage()
        await target.run(text, base)
        const { user, system } = process.cpuUsage(before)
        expect((user + system) / 1e6, `${base}/${place.join('/')}`).toBeLessThan(ANSWER_CPU_S_MAX)
      }
  } finally {
    await target.stop?.()
  }
})

describe('takes no more steps than there is to read, wherever it grows:', () => {
  const takeSteps = countSteps()

  /** Returns the places in which a value's growth costs its reader too many steps. */
  async function steepPlaces(
    base: Json,
    read: (value: Json) => Promise<unknown>,
    places = placesIn(base),
  ): Promise<readonly string[]> {
    const steep: string[] = []
    // One-time work happens here.
    await read(base)
    takeSteps()
    await read(base)
    const baseSteps = takeSteps()
    for (const place of places) {
      const stepsAt = async (size: number) => {
        await read(grown(base, place, size)).catch((error: Error) => {
          throw new Error(`/${place.join('/')}, ${size} times: ${error.message}`)
        })
        return takeSteps()
      }
      const steps = [baseSteps]
      for (const size of SIZES) steps.push(await stepsAt(size))
      // Passing a limit makes one step large; the next step shows the cost beyond it.
      if (isSteep(steps)) steps.push(await stepsAt(FACTOR ** 3))
      if (isSteep(steps.slice(-3))) steep.push(`/${place.join('/')}: ${steps.join(', ')} steps`)
    }
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

  it('showing and verifying a recording, in its lists', async () => {
    const { bases, run } = recordingTarget()
    const base = 'sealed'
    const recording = bases[base] as Json
    const lists = placesIn(recording).filter((place) => Array.isArray(valueAt(recording, place)))
    expect(await steepPlaces(recording, (value) => run(textOf(value), base), lists)).toEqual([])
  })

  it.each([
    ['report', (path: string) => ['report', path]],
    ['diff', (path: string) => ['diff', folder.at('former'), path]],
  ])('%s', async (_name, argv) => {
    folder.write('former/results.json', RUN)
    const read = async (value: Json) => {
      folder.write('run/results.json', value)
      await plumbline(...argv(folder.at('run')))
    }
    expect(await steepPlaces(RUN, read)).toEqual([])
  })
})
