import type { ScriptRun } from '../../runner/families/runScript.ts'
import { randomRun } from '../../runner/simulate/plan.ts'
import type { FinishedRun, Simulator, SimulatorResult, SimulatorTask } from '../../runner/simulate/run.ts'

/** Every seed that 7 divides breaks the same property, at another step. */
const BROKEN = { every: 7, property: 'confirm.credits', requirement: 'confirm.pending' } as const

/** Returns what a seed comes to, without a chain: a function of the seed. */
export function madeUpRun(seed: number, salt = ''): ScriptRun {
  const log = Array.from({ length: 3 + (seed % 5) }, (_, index) => ({
    path: String(index),
    op: 'mine' as const,
    answers: [],
    sent: [],
    nowMs: seed * 1_000 + index,
    head: { number: String(index), hash: `0x${salt}${seed}`, timestampS: index },
  }))
  const isBroken = seed % BROKEN.every === 0
  const [expected, actual] = ['202', `200 (report ${seed}, step ${seed % 3})`]
  const { property, requirement } = BROKEN
  return {
    log,
    struck: {},
    labels: [
      ['step: mine', log.length],
      [`seed ends in ${seed % 10}`, 1],
    ],
    judged: {},
    problem: isBroken
      ? {
          status: 'fail',
          broken: { property, requirement, expected, actual, others: [] },
          path: String(seed % 3),
          step: null,
          message: `${requirement}: expected ${expected}, actual ${actual}`,
        }
      : null,
  }
}

/** Returns the same with its script. */
export function madeUpFinishedRun(seed: number, salt = ''): FinishedRun {
  return { ...randomRun(seed), ...madeUpRun(seed, salt) }
}

/** Returns a simulator without a chain. @param before is called with each seed before anything is done with it. */
export function madeUpSimulator(
  before: (seed: number, kind: SimulatorTask['kind']) => void | Promise<void> = () => {},
  run: (seed: number) => ScriptRun = madeUpRun,
): Simulator {
  return {
    run: async (task): Promise<SimulatorResult> => {
      if (task.kind === 'record') {
        await before(task.run.seed, task.kind)
        return `recorded ${task.run.name}.seed-${task.run.seed}`
      }
      const { seed, steps } = task.script
      await before(seed, task.kind)
      if (task.kind === 'run') return run(seed)
      return { steps: steps.slice(0, 2), broken: task.broken, tries: seed, exhausted: false }
    },
    stop: async () => {},
  }
}
