import { split } from '../seed.ts'

/** A fault is mostly absent or rare: one that is always present hides bugs that need its absence. */
const WEIGHTS = [0, 150, 500, 1500] as const
const RARE_WEIGHTS = [0, 0, 100, 300] as const

/** Choices for each script, in this order: mostly the weight of a fault among the ordinary steps. */
const CHOICES = {
  lineFault: WEIGHTS,
  storeFault: WEIGHTS,
  venueFault: WEIGHTS,
  movePool: WEIGHTS,
  reorg: WEIGHTS,
  restart: WEIGHTS,
  crash: WEIGHTS,
  replace: WEIGHTS,
  drop: WEIGHTS,
  race: WEIGHTS,
  meanwhile: WEIGHTS,
  window: WEIGHTS,
  skew: WEIGHTS,
  keys: WEIGHTS,
  budget: RARE_WEIGHTS,
  /** Share of sends whose transaction differs from the build, and of reports with another's build or key. */
  dishonestBps: [0, 1000, 3000],
  /** Share of builds whose slippage any price move exceeds. */
  tightBps: [0, 0, 3000],
} as const satisfies Readonly<Record<string, readonly number[]>>

/** The frequency of each kind of step and fault in a script. */
export type ScriptOptions = Readonly<Record<keyof typeof CHOICES, number>> & {
  /** Turns of the first phase; some add several steps. */
  readonly steps: number
}

const OPTIONS: readonly (readonly [string, readonly number[]])[] = Object.entries(CHOICES)

/** Options of faults inside the service or on its line. */
const INSIDE: ReadonlySet<string> = new Set<keyof ScriptOptions>([
  'lineFault',
  'storeFault',
  'restart',
  'crash',
  'meanwhile',
  'skew',
  'keys',
  'budget',
])

export interface ScriptChoices {
  /** True if no step acts inside the service or on its line, so that the script runs against any service. */
  readonly onChain?: boolean
}

/** Returns the frequencies for a seed. The number of steps depends on the seed alone. */
export function generateOptions(seed: number, { onChain = false }: ScriptChoices): ScriptOptions {
  const stream = split(seed, 'script.options')
  const steps = stream.int(20, 40)
  const picked = OPTIONS.map(([name, choices]) => {
    const choice = stream.pick(choices)
    return [name, onChain && INSIDE.has(name) ? 0 : choice] as const
  })
  return { steps, ...(Object.fromEntries(picked) as Record<keyof typeof CHOICES, number>) }
}
