import type { Versions } from '../machine.ts'
import type { WorkOptions } from '../work.ts'
import { madeUpSeeds, seedsOf } from './seeds.ts'

/** The versions on made-up machines. */
export const VERSIONS: Versions = { plumbline: '0.1.0', anvil: '1.7.1', contracts: 'c0de', nodeMajor: 20 }

/** Returns a one-worker machine that ends when no campaign is open. Its seeds have no service, and its pauses take no time. */
export function madeUpMachine(options: Partial<WorkOptions> = {}): WorkOptions {
  return {
    ...{ workers: 1, versions: VERSIONS, machine: 'here', campaign: null, untilDone: true },
    openRunner: seedsOf(madeUpSeeds),
    isLeaving: () => false,
    time: { pass: () => new Promise(setImmediate) },
    watch: { onRange: () => {}, onProblem: () => {} },
    ...options,
  }
}

/** Returns a machine that ends as soon as it has finished this many ranges. */
export function leavingAfter(ranges: number, options: Partial<WorkOptions> = {}): WorkOptions {
  let finished = 0
  const onRange = () => {
    finished += 1
  }
  return madeUpMachine({
    isLeaving: () => finished >= ranges,
    watch: { onRange, onProblem: () => {} },
    ...options,
  })
}
