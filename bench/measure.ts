import { median } from 'simple-statistics'

/** Returns the duration of `work` in ms. */
async function timed(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Two kinds of work timed in turn: medians in ms, and the median ratio of the pairs. */
export interface Comparison {
  readonly subjectMs: number
  readonly baselineMs: number
  /** A machine that slows down affects both of a pair. */
  readonly ratio: number
}

/**
 * Number of rounds before those that count: Node compiles code as it is called, and in the first hundreds of rounds a lifecycle
 * takes one and a half times as much processor time.
 */
const WARM_UP_ROUNDS = 300

/**
 * Times two kinds of work in turn, pair by pair, after a warm-up.
 *
 * @param prepare runs before each, untimed
 */
export async function compare(
  rounds: number,
  subject: () => Promise<unknown>,
  baseline: () => Promise<unknown>,
  prepare: () => Promise<unknown> = async () => {},
): Promise<Comparison> {
  const prepared = async (work: () => Promise<unknown>) => {
    await prepare()
    return timed(work)
  }
  const pairs: { subject: number; baseline: number }[] = []
  for (let round = 0; round < WARM_UP_ROUNDS + rounds; round += 1) {
    const pair = { subject: await prepared(subject), baseline: await prepared(baseline) }
    if (round >= WARM_UP_ROUNDS) pairs.push(pair)
  }
  return {
    subjectMs: median(pairs.map((pair) => pair.subject)),
    baselineMs: median(pairs.map((pair) => pair.baseline)),
    ratio: median(pairs.map((pair) => pair.subject / pair.baseline)),
  }
}

/**
 * Returns the duration of each of `rounds` repetitions, in ms.
 *
 * @param prepare runs before each, untimed
 */
export async function sample(
  rounds: number,
  work: () => unknown,
  prepare: () => unknown = () => {},
): Promise<readonly number[]> {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    await prepare()
    times.push(await timed(work))
  }
  return times
}
