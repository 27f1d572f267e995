import { type Check, runChecks } from '../../src/runner/suite.ts'
import { createWorld, type World } from '../../src/simulation/world.ts'
import { clearTranscript, transcriptOf } from '../../src/targets/inProcess.ts'
import { MUTATION_SEED, mutationChecks } from './checks.ts'
import type { Put } from './verdict.ts'

/** A world and the checks that are put to whatever service stands in it. */
export interface Bench {
  readonly checks: readonly Check<World>[]
  /** Puts one check, in a world as it was at the start. A check that takes longer than `limitMs` is left behind. */
  put(check: Check<World>, limitMs: number): Promise<Put>
  /** Starts the service anew, as before every check. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** @throws what `createWorld` throws; the service did not start. */
export async function openBench(): Promise<Bench> {
  const world = await createWorld({ seed: MUTATION_SEED })
  const put = async (check: Check<World>): Promise<Put> => {
    try {
      await world.reset(MUTATION_SEED, {})
    } catch (error) {
      return { end: 'no-start', why: error instanceof Error ? error.message : String(error) }
    }
    const [result] = await runChecks([check], {
      enter: async () => {
        clearTranscript(world)
        return world
      },
      replay: ({ id }) => `npx plumbline run --seed ${MUTATION_SEED} --only ${id}`,
      transcript: transcriptOf,
    })
    if (result === undefined) throw new TypeError(`the check ${check.id} left no result`)
    return { end: 'judged', result }
  }
  return {
    checks: mutationChecks(),
    put: async (check, limitMs) => {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<Put>((resolve) => {
        timer = setTimeout(() => resolve({ end: 'time-out' }), limitMs)
      })
      return Promise.race([put(check), late]).finally(() => clearTimeout(timer))
    },
    restart: () => world.reset(MUTATION_SEED, {}),
    stop: () => world.stop(),
  }
}
