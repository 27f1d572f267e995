import { forkWorkers, SCRIPTS_AT_ONCE } from '../src/cli/forkWorkers.ts'
import type { CaseTask, CaseTaskResult } from '../src/runner/cases/runCases.ts'
import type { ScriptRun } from '../src/runner/families/runScript.ts'
import { runInOrder } from '../src/runner/pool/workers.ts'
import { randomRun } from '../src/runner/simulate/plan.ts'
import { simulationIds } from '../src/runner/simulate/simulations.ts'
import type { Throughput } from './lifecycle.ts'

/** Number of runs of each worker before those that count: Node compiles code as it is called, and a campaign runs thousands. */
const WARM_UP_RUNS = 40

/**
 * Returns the rate of random simulations with this number of workers, once they run and their code is compiled.
 *
 * @param baseMs time of every world's first block
 */
export async function simulationThroughput(
  workers: number,
  runs: number,
  baseMs: number,
): Promise<Throughput> {
  const simulations = Array.from({ length: runs + WARM_UP_RUNS * workers }, (_, index) =>
    randomRun(1 + index),
  )
  const simulators = forkWorkers<CaseTask, CaseTaskResult>(workers, {
    kind: 'run',
    run: {
      ...{ command: 'simulate', target: 'reference', options: {}, seed: 1, lanes: SCRIPTS_AT_ONCE },
      suites: [{ name: 'simulations', simulations }],
    },
  })
  const tasks = simulationIds(simulations).map((id) => ({ ids: [id], endsAtMs: Number.MAX_SAFE_INTEGER }))
  try {
    await runInOrder(simulators, tasks.slice(runs))
    let simulatedMs = 0
    const start = performance.now()
    await runInOrder(simulators, tasks.slice(0, runs), ({ results }) => {
      const [run] = results.flatMap(({ attached = [] }) => attached as ScriptRun | [])
      simulatedMs += (run?.log.at(-1)?.nowMs ?? baseMs) - baseMs
    })
    const realMs = performance.now() - start
    return { perSecond: (runs * 1000) / realMs, simulatedPerReal: simulatedMs / realMs }
  } finally {
    await Promise.all(simulators.map((simulator) => simulator.stop()))
  }
}
