import { table } from '../../src/cli/table.ts'
import { type Curve, exponentOf, growthOf, mediansOf } from '../../src/reporting/report/curves.ts'
import { UsageError } from '../../src/spec/errors.ts'
import { keepFigures } from '../figures.ts'
import { cases } from './cases.ts'
import { measureCurves, type Sized } from './measureCurves.ts'
import { recordings } from './recordings.ts'
import { results } from './results.ts'
import { blocksKept, venues } from './world.ts'

/** What is measured, by the name of its size, with the largest of its sizes. */
export const SIZED: Readonly<
  Record<string, readonly [(sizes: readonly number[]) => Sized, readonly number[]]>
> = {
  cases: [cases, [10, 30, 100, 300, 1_000]],
  venues: [venues, [1, 2, 3, 4, 5, 6]],
  blocks: [blocksKept, [10, 100, 1_000, 10_000]],
  results: [results, [100, 300, 1_000, 3_000, 10_000, 30_000, 100_000]],
  steps: [recordings, [10, 30, 100, 300, 1_000, 3_000, 10_000]],
}

/**
 * Measures how costs grow with sizes, prints each curve, and writes them for `plumbline report --bench`, those of one size
 * as soon as it is done.
 *
 * @param kinds names of sizes; empty: all.
 * @param largest greater sizes are left out.
 * @throws {UsageError} there is no such kind.
 */
export async function benchCurves(
  kinds: readonly string[],
  largest = Number.POSITIVE_INFINITY,
): Promise<void> {
  const unknown = kinds.find((kind) => SIZED[kind] === undefined)
  if (unknown !== undefined)
    throw new UsageError(`nothing is measured by ${unknown}`, `Choose of ${Object.keys(SIZED).join(', ')}.`)
  for (const [kind, [sizedBy, sizes]] of Object.entries(SIZED)) {
    if (kinds.length > 0 && !kinds.includes(kind)) continue
    const sized = sizedBy(sizes.filter((size) => size <= largest))
    const progress = (what: string) => console.error(`measuring ${what}`)
    const curves = await measureCurves(sized, progress, (measured) => keepFigures({ curves: measured }))
    console.log(describeCurves(curves))
  }
}

/** A row for each curve: its medians and its exponent. */
function describeCurves(curves: readonly Curve[]): string {
  const sizes = [...new Set(curves.flatMap(({ samples }) => samples.map(({ size }) => size)))]
  return table(
    [`ms by ${curves[0]?.size}`, ...sizes.map((size) => size.toLocaleString('en')), 'growth'],
    curves.map((curve) => {
      const medians = new Map(mediansOf(curve).map(({ size, ms }) => [size, ms]))
      return [
        curve.name,
        ...sizes.map((size) => Number((medians.get(size) ?? Number.NaN).toPrecision(3))),
        exponentOf(growthOf(curve)),
      ]
    }),
    ['left', ...sizes.map(() => 'right' as const), 'left'],
  )
}
