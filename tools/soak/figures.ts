import type { Figures } from '../deployment/figures.ts'
import type { SoakOptions, SoakResult } from './soak.ts'

/** Returns the rows of the table for a reader. */
export function figuresOf(
  { minutes, capacityS, seed }: Pick<SoakOptions, 'minutes' | 'capacityS' | 'seed'>,
  result: SoakResult,
): Figures {
  const command = `npm run soak -- --minutes ${minutes} --capacity-seconds ${capacityS} --seed ${seed}`
  return { command, rows: rowsOf(result) }
}

/** Returns the same rows as plain text. */
export function summaryOf(result: SoakResult): string {
  return ['soak', ...rowsOf(result).map(([what, figure]) => `  ${what}: ${figure}`)].join('\n')
}

function rowsOf(result: SoakResult): readonly (readonly [string, string])[] {
  const number = (value: number) => value.toLocaleString('en')
  const requests = Object.entries(result.requests)
  const total = requests.reduce((sum, [, count]) => sum + count, 0)
  return [
    ['duration of the steady load', `${result.minutes} min`],
    ['capacity, lifecycles a second', result.capacityPerS.toFixed(1)],
    ['load, lifecycles a second', result.loadPerS.toFixed(1)],
    ['requests of the steady load', number(total)],
    ...Object.entries(result.durationsMs)
      .filter(([endpoint]) => endpoint !== 'report')
      .map(([endpoint, { p50, p99 }]) => [`${endpoint}, p50 and p99`, `${p50} ms, ${p99} ms`] as const),
    ...result.memory.map(
      ({ line: { mean, perMinute, errorPerMinute } }, index) =>
        [
          `memory of process ${index + 1}, second half`,
          `${mean.toFixed(0)} MiB, slope ${perMinute.toFixed(2)} ± ${errorPerMinute.toFixed(2)} MiB a minute`,
        ] as const,
    ),
    ['builds answered', number(result.buildsAnswered)],
    ['swaps sent to the chain', number(result.swaps)],
    ['swaps credited', number(result.recorded)],
    ['errors and findings of the independent count', number(result.findings.length)],
  ]
}
