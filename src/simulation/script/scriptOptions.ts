import { split } from '../seed.ts'

/** A fault is mostly absent or rare: what is always there hides what only happens without it. */
const WEIGHTS = [0, 150, 500, 1500] as const
const RARE_WEIGHTS = [0, 0, 100, 300] as const

/** The choices for each script, in this order: mostly the weight of a fault among the ordinary steps. */
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
  /** Of the sends: that the transaction is not what the build says. Of the reports: that build or key is another's. */
  dishonestBps: [0, 1000, 3000],
  /** Of the builds: that the price may move too far until they execute. */
  tightBps: [0, 0, 3000],
} as const satisfies Readonly<Record<string, readonly number[]>>

/** Describes how much of everything a script holds. */
export type ScriptOptions = Readonly<Record<keyof typeof CHOICES, number>> & {
  /** Turns of the first phase; some make several steps. */
  readonly steps: number
}

const OPTIONS: readonly (readonly [string, readonly number[]])[] = Object.entries(CHOICES)

/** The options of faults inside the service or on its line. */
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

/** Describes what a script is generated for. */
export interface ScriptChoices {
  /** Nothing happens inside the service or on its line, so that it runs against any service. */
  readonly onChain?: boolean
}

/** Returns how much of everything the script of a seed holds. How long it is, its seed decides alone. */
export function generateOptions(seed: number, { onChain = false }: ScriptChoices): ScriptOptions {
  const stream = split(seed, 'script.options')
  const steps = stream.int(20, 40)
  const picked = OPTIONS.map(([name, choices]) => {
    const choice = stream.pick(choices)
    return [name, onChain && INSIDE.has(name) ? 0 : choice] as const
  })
  return { steps, ...(Object.fromEntries(picked) as Record<keyof typeof CHOICES, number>) }
}
