import { leastSquares } from './leastSquares.ts'

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

/** Returns the least of every so many samples. */
export function leastOfEach(samples: readonly Sample[], size: number): readonly Sample[] {
  const windows = Array.from({ length: Math.ceil(samples.length / size) }, (_, index) =>
    samples.slice(index * size, (index + 1) * size),
  )
  return windows.flatMap((window) => window.toSorted((one, other) => one.value - other.value).slice(0, 1))
}

const MS_PER_MINUTE = 60_000

/** @throws {RangeError} fewer than three samples, or all at the same moment. */
export function fitLine(samples: readonly Sample[]): Line {
  const { slope, slopeError, meanY } = leastSquares(
    samples.map(({ atMs, value }) => ({ x: atMs / MS_PER_MINUTE, y: value })),
  )
  return { perMinute: slope, errorPerMinute: slopeError, mean: meanY }
}
