import type { Curve } from '../../src/reporting/report/curves.ts'
import { timed } from '../measure.ts'

/**
 * Measures one kind of work at the present size.
 *
 * @param prepare done before each, and not timed.
 */
export type Measure = (name: string, work: () => unknown, prepare?: () => unknown) => Promise<void>

/** Works whose cost depends on the same size. */
export interface Sized {
  /** What the size counts, such as `steps`. */
  readonly size: string
  readonly sizes: readonly number[]
  /** Why a curve may grow faster than its size, by its name. */
  readonly because?: Readonly<Record<string, string>>
  /** Makes what is needed at one size, and measures everything with it. */
  readonly at: (size: number, measure: Measure) => Promise<void>
  /** Ends what was started for it. */
  readonly end?: () => Promise<void>
}

const SAMPLES = 5
/** The time for all samples of one kind of work at one size. */
const TOGETHER_MS = 1_500
/** Work that takes longer than this is measured once, also the first time. */
const ONCE_FROM_MS = 1_000
/** Work that takes less is repeated within a sample, so that the clock's steps do not show. */
const SAMPLE_MS = 10

/**
 * Measures works at all their sizes.
 *
 * @param keep gets all curves after each size, so that nothing is lost when a larger one cannot be measured.
 */
export async function measureCurves(
  sized: Sized,
  progress: (what: string) => void,
  keep: (curves: readonly Curve[]) => void = () => {},
): Promise<readonly Curve[]> {
  const curves = new Map<string, Curve>()
  try {
    for (const size of sized.sizes) {
      progress(`${size.toLocaleString('en')} ${sized.size}`)
      await sized.at(size, async (name, work, prepare = () => {}) => {
        const samples = (await samplesOf(work, prepare)).map((ms) => ({ size, ms }))
        const known = curves.get(name)?.samples ?? []
        curves.set(name, {
          name,
          size: sized.size,
          samples: [...known, ...samples],
          because: sized.because?.[name] ?? null,
        })
      })
      keep([...curves.values()])
    }
  } finally {
    await sized.end?.()
  }
  return [...curves.values()]
}

async function samplesOf(work: () => unknown, prepare: () => unknown): Promise<readonly number[]> {
  const once = async (times: number) => {
    await prepare()
    const ms = await timed(async () => {
      for (let done = 0; done < times; done += 1) await work()
    })
    return ms / times
  }
  // The first time is slower: the code is not compiled yet.
  const first = await once(1)
  if (first >= ONCE_FROM_MS) return [first]
  const times = Math.max(1, Math.ceil(SAMPLE_MS / Math.max(first, 0.01)))
  const samples: number[] = []
  for (let spentMs = first; samples.length < SAMPLES && spentMs < TOGETHER_MS; ) {
    const ms = await once(times)
    samples.push(ms)
    spentMs += ms * times
  }
  return samples
}
