import type { Simulator } from '../../runner/simulate/run.ts'
import type { OpenRunner } from '../seedRunner.ts'
import { simulatedSeeds } from '../simulatedSeeds.ts'
import type { Versions } from '../versions.ts'
import type { WorkOptions } from '../work.ts'
import { madeUpSimulator } from './runs.ts'

/** What runs on made-up machines. */
export const VERSIONS: Versions = { plumbline: '0.1.0', anvil: '1.7.1', contracts: 'c0de', nodeMajor: 20 }

/** Runners of these simulators. */
export function seedsOf(open: () => Simulator): OpenRunner {
  return (_plan, onEnded) => simulatedSeeds(open, onEnded)
}

/** A machine of one worker that leaves when nothing is left. Its simulators have no chain, and no time passes on it. */
export function madeUpMachine(options: Partial<WorkOptions> = {}): WorkOptions {
  return {
    ...{ workers: 1, versions: VERSIONS, machine: 'here', campaign: null, untilDone: true },
    openRunner: seedsOf(madeUpSimulator),
    isLeaving: () => false,
    time: { nowMs: () => 0, pass: () => new Promise(setImmediate) },
    watch: { onRange: () => {}, onShrunk: () => {}, onProblem: () => {} },
    ...options,
  }
}

/** The same, which leaves as soon as it has finished so many ranges. */
export function leavingAfter(ranges: number, options: Partial<WorkOptions> = {}): WorkOptions {
  let finished = 0
  const onRange = () => {
    finished += 1
  }
  return madeUpMachine({
    isLeaving: () => finished >= ranges,
    watch: { onRange, onShrunk: () => {}, onProblem: () => {} },
    ...options,
  })
}

/** Returns a clock on which so much passes between two looks at it. */
export function clockOf(stepMs: number): WorkOptions['time'] {
  let nowMs = 0
  return {
    nowMs: () => {
      nowMs += stepMs
      return nowMs
    },
    pass: () => new Promise(setImmediate),
  }
}
