/** A point in time and what was measured then. */
export interface Sample {
  readonly atMs: number
  readonly value: number
}

/** A straight line through samples, by least squares. */
export interface Line {
  /** Change of the value for each minute. */
  readonly perMinute: number
  /** Standard error of it. */
  readonly errorPerMinute: number
  readonly mean: number
}

/** The least of every so many samples. */
export function leastOfEach(samples: readonly Sample[], size: number): readonly Sample[] {
  const windows = Array.from({ length: Math.ceil(samples.length / size) }, (_, index) =>
    samples.slice(index * size, (index + 1) * size),
  )
  return windows.flatMap((window) => window.toSorted((one, other) => one.value - other.value).slice(0, 1))
}

const MS_PER_MINUTE = 60_000

/** @throws {RangeError} fewer than three samples, or all at the same moment. */
export function fitLine(samples: readonly Sample[]): Line {
  const count = samples.length
  const minutes = samples.map(({ atMs }) => atMs / MS_PER_MINUTE)
  const values = samples.map(({ value }) => value)
  const [meanTime, mean] = [average(minutes), average(values)]
  const spread = minutes.reduce((sum, minute) => sum + (minute - meanTime) ** 2, 0)
  if (count < 3 || spread === 0) throw new RangeError(`no line through ${count} samples`)
  const together = minutes.reduce(
    (sum, minute, index) => sum + (minute - meanTime) * ((values[index] ?? 0) - mean),
    0,
  )
  const perMinute = together / spread
  const squares = minutes.reduce((sum, minute, index) => {
    const expected = mean + perMinute * (minute - meanTime)
    return sum + ((values[index] ?? 0) - expected) ** 2
  }, 0)
  return { perMinute, errorPerMinute: Math.sqrt(squares / (count - 2) / spread), mean }
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
