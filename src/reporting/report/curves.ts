import { z } from 'zod'
import { leastSquares, type Point } from './leastSquares.ts'

/** How a cost grows with a size: every measurement that was taken. */
export const curveSchema = z.object({
  /** What was done, such as `verify a recording`. */
  name: z.string(),
  /** What its size counts, such as `steps`. */
  size: z.string(),
  samples: z.array(z.object({ size: z.number().positive(), ms: z.number().positive() })),
  /** Why it may grow faster than its size; null: nothing is known that would excuse it. */
  because: z.string().nullable(),
})

export type Curve = z.infer<typeof curveSchema>

/** The growth of a cost: it is in proportion to its size, raised to the exponent. */
export interface Growth {
  readonly exponent: number
  /** The ends of its 95 % confidence interval. */
  readonly low: number
  readonly high: number
  /** What the fitted line says of a size, in milliseconds. */
  readonly fitted: (size: number) => number
  /** The least size that the line was fitted to. */
  readonly from: number
}

/** Constant costs hide the growth at small sizes: the line is fitted to the sizes from a hundredth of the largest on. */
const FITTED_PART = 100
/** An interval that lies above this one is of a cost that grows faster than its size; n log n lies below. */
const LINEAR_AT_MOST = 1.15
/** The quantile of the normal distribution for an interval of 95 %. */
const Z = 1.959964

/** The medians of a curve, the least size first. */
export function mediansOf({ samples }: Pick<Curve, 'samples'>): readonly Curve['samples'][number][] {
  const sizes = [...new Set(samples.map(({ size }) => size))].sort((one, other) => one - other)
  return sizes.map((size) => {
    const times = samples.filter((sample) => sample.size === size).map(({ ms }) => ms)
    times.sort((one, other) => one - other)
    const middle = (times.length - 1) / 2
    return { size, ms: ((times[Math.floor(middle)] ?? 0) + (times[Math.ceil(middle)] ?? 0)) / 2 }
  })
}

/** Fits a line to the logarithms of sizes and times; null where there are fewer than four samples, or a single size. */
export function growthOf({ samples }: Pick<Curve, 'samples'>): Growth | null {
  const largest = samples.reduce((most, { size }) => Math.max(most, size), 0)
  const fitted = samples.filter(({ size }) => size * FITTED_PART >= largest)
  const points: readonly Point[] = fitted.map(({ size, ms }) => ({ x: Math.log(size), y: Math.log(ms) }))
  if (points.length < 4 || new Set(fitted.map(({ size }) => size)).size < 2) return null
  const { slope, slopeError, meanX, meanY } = leastSquares(points)
  const reach = studentQuantile(points.length - 2) * slopeError
  return {
    exponent: slope,
    low: slope - reach,
    high: slope + reach,
    fitted: (size) => Math.exp(meanY + slope * (Math.log(size) - meanX)),
    from: fitted.reduce((least, { size }) => Math.min(least, size), largest),
  }
}

/** Whether a cost surely grows faster than its size. */
export function isWorseThanLinear({ low }: Pick<Growth, 'low'>): boolean {
  return low > LINEAR_AT_MOST
}

/** The exponent of a growth in words. */
export function exponentOf(growth: Growth | null): string {
  if (growth === null) return 'too few measurements'
  const [exponent, low, high] = [growth.exponent, growth.low, growth.high].map((each) => each.toFixed(2))
  const verdict = isWorseThanLinear(growth) ? ': worse than linear' : ''
  return `size to the power of ${exponent} (${low} to ${high})${verdict}`
}

const MS_PER_S = 1_000

/** A time in words, with two digits. */
export function timeOf(ms: number): string {
  if (ms >= MS_PER_S) return `${Number((ms / MS_PER_S).toPrecision(2))} s`
  return ms >= 0.01 ? `${Number(ms.toPrecision(2))} ms` : `${Number((ms * MS_PER_S).toPrecision(2))} µs`
}

/** The 97.5 % quantile of Student's distribution, by the expansion of Cornish and Fisher. */
function studentQuantile(degrees: number): number {
  return (
    Z +
    (Z ** 3 + Z) / (4 * degrees) +
    (5 * Z ** 5 + 16 * Z ** 3 + 3 * Z) / (96 * degrees ** 2) +
    (3 * Z ** 7 + 19 * Z ** 5 + 17 * Z ** 3 - 15 * Z) / (384 * degrees ** 3)
  )
}
