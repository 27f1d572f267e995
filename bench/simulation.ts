import { forkWorkers } from '../src/cli/forkWorkers.ts'
import { historyFamily } from '../src/cli/suites/historySuite.ts'
import type { ScriptResult, ScriptTask } from '../src/runner/families/runScript.ts'
import { planRuns } from '../src/runner/simulate/plan.ts'
import { runPlan } from '../src/runner/simulate/run.ts'
import type { Throughput } from './lifecycle.ts'

/** So many runs of each worker come before those that count: Node compiles code as it is called, and a campaign runs thousands. */
const WARM_UP_RUNS = 40

/**
 * Returns how fast random simulations follow one another with so many workers, once these stand and their code is compiled.
 *
 * @param baseMs the time of every world's first block
 */
export async function simulationThroughput(
  workers: number,
  runs: number,
  baseMs: number,
): Promise<Throughput> {
  const simulators = forkWorkers<ScriptTask, ScriptResult>(workers, { kind: 'simulate' })
  const planOf = (seed: number, count: number) =>
    planRuns({ patterns: [], seed, runs: count, family: historyFamily, failures: [] })
  try {
    await runPlan(simulators, planOf(1 + runs, WARM_UP_RUNS * workers), () => {})
    let simulatedMs = 0
    const plan = planOf(1, runs)
    const start = performance.now()
    await runPlan(simulators, plan, ({ log }) => {
      simulatedMs += (log.at(-1)?.nowMs ?? baseMs) - baseMs
    })
    const realMs = performance.now() - start
    return { perSecond: (runs * 1000) / realMs, simulatedPerReal: simulatedMs / realMs }
  } finally {
    await Promise.all(simulators.map((simulator) => simulator.stop()))
  }
}
