import { type Stream, split } from './seed.ts'

/** How much of everything a script holds: its length, and the weight of each fault among the ordinary steps. */
export interface ScriptOptions {
  /** Turns of the first phase; some make several steps. */
  readonly steps: number
  readonly lineFault: number
  readonly storeFault: number
  readonly venueFault: number
  readonly movePool: number
  readonly reorg: number
  readonly restart: number
  readonly crash: number
  readonly replace: number
  readonly drop: number
  readonly race: number
  readonly meanwhile: number
  readonly window: number
  readonly skew: number
  readonly keys: number
  readonly budget: number
  /** Of the sends: that the transaction is not what the build says. Of the reports: that build or key is another's. */
  readonly dishonestBps: number
  /** Of the builds: that the price may move too far until they execute. */
  readonly tightBps: number
}

/** A fault is mostly absent or rare: what is always there hides what only happens without it. */
const WEIGHTS = [0, 150, 500, 1500] as const
const RARE_WEIGHTS = [0, 0, 100, 300] as const
const DISHONEST_BPS = [0, 1000, 3000] as const
const TIGHT_BPS = [0, 0, 3000] as const

/** What happens inside the service or on its line. */
const NOTHING_INSIDE = {
  lineFault: 0,
  storeFault: 0,
  restart: 0,
  crash: 0,
  meanwhile: 0,
  skew: 0,
  keys: 0,
  budget: 0,
} as const satisfies Partial<ScriptOptions>

/** @param onChain Only what can be done to any service: what happens on the chain. */
export function generateOptions(seed: number, onChain: boolean): ScriptOptions {
  const options = generateAll(seed)
  return onChain ? { ...options, ...NOTHING_INSIDE } : options
}

function generateAll(seed: number): ScriptOptions {
  const stream: Stream = split(seed, 'script.options')
  return {
    steps: stream.int(20, 40),
    lineFault: stream.pick(WEIGHTS),
    storeFault: stream.pick(WEIGHTS),
    venueFault: stream.pick(WEIGHTS),
    movePool: stream.pick(WEIGHTS),
    reorg: stream.pick(WEIGHTS),
    restart: stream.pick(WEIGHTS),
    crash: stream.pick(WEIGHTS),
    replace: stream.pick(WEIGHTS),
    drop: stream.pick(WEIGHTS),
    race: stream.pick(WEIGHTS),
    meanwhile: stream.pick(WEIGHTS),
    window: stream.pick(WEIGHTS),
    skew: stream.pick(WEIGHTS),
    keys: stream.pick(WEIGHTS),
    budget: stream.pick(RARE_WEIGHTS),
    dishonestBps: stream.pick(DISHONEST_BPS),
    tightBps: stream.pick(TIGHT_BPS),
  }
}
