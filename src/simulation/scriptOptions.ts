import { type Stream, split } from './seed.ts'

/** A fault is mostly absent or rare: what is always there hides what only happens without it. */
const WEIGHTS = [0, 150, 500, 1500] as const
const RARE_WEIGHTS = [0, 0, 100, 300] as const

/** What is picked for each script, in this order: mostly the weight of a fault among the ordinary steps. */
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

/** How much of everything a script holds. */
export type ScriptOptions = Readonly<Record<keyof typeof CHOICES, number>> & {
  /** Turns of the first phase; some make several steps. */
  readonly steps: number
}

const OPTIONS: readonly (readonly [string, readonly number[]])[] = Object.entries(CHOICES)
/** How often a new mix has a thing at all. */
const PRESENT_BPS = 5000

/**
 * How much of everything scripts hold, as text: one digit for each option in the order above, the number of its choice
 * counted from 0. It means the same under every seed.
 */
export type Mix = string

/** What happens inside the service or on its line. */
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

/** What a script is generated for. */
export interface ScriptChoices {
  /** Nothing happens inside the service or on its line, so that it runs against any service. */
  readonly onChain?: boolean
  /** How much of everything it holds; null: its seed decides. */
  readonly mix?: Mix | null
}

/** How much of everything the script of a seed holds. How long it is, its seed decides alone. */
export function generateOptions(seed: number, { onChain = false, mix = null }: ScriptChoices): ScriptOptions {
  const stream = split(seed, 'script.options')
  const steps = stream.int(20, 40)
  const picked = OPTIONS.map(([name, choices], index) => {
    const choice = mix === null ? stream.pick(choices) : choices[Number(mix[index])]
    return [name, onChain && INSIDE.has(name) ? 0 : choice] as const
  })
  return { steps, ...(Object.fromEntries(picked) as Record<keyof typeof CHOICES, number>) }
}

/**
 * A mix that has of each thing either nothing or the most: what a few kinds of faults do together shows best where the others
 * are absent.
 */
export function drawMix(stream: Stream): Mix {
  return OPTIONS.map(([, choices]) => (stream.chanceBps(PRESENT_BPS) ? choices.length - 1 : 0)).join('')
}

/**
 * A mix that takes each option from another one, and now and then any choice of it.
 *
 * @param parent picks the mix to take the next option from.
 * @param strayBps how often an option is any choice.
 */
export function crossMixes(parent: () => Mix, strayBps: number, stream: Stream): Mix {
  return OPTIONS.map(([, choices], index) =>
    stream.chanceBps(strayBps) ? stream.int(0, choices.length - 1) : parent()[index],
  ).join('')
}

/** Whether this text is a mix. */
export function isMix(text: string): boolean {
  return (
    text.length === OPTIONS.length &&
    OPTIONS.every(([, choices], index) => choices[Number.parseInt(text[index] as string, 10)] !== undefined)
  )
}
