import { forkWorkers } from '../src/cli/forkWorkers.ts'
import { historyFamily } from '../src/cli/historySuite.ts'
import type { ScriptResult, ScriptTask } from '../src/runner/runScript.ts'
import { planRuns } from '../src/runner/simulate/plan.ts'
import { runPlan } from '../src/runner/simulate/run.ts'
import type { Throughput } from './lifecycle.ts'

/**
 * How fast random simulations follow one another with so many workers, once the workers stand.
 *
 * @param baseMs the time of every world's first block
 */
export async function simulationThroughput(
  workers: number,
  runs: number,
  baseMs: number,
): Promise<Throughput> {
  const simulators = forkWorkers<ScriptTask, ScriptResult>(workers, { kind: 'simulate' })
  try {
    await Promise.all(
      simulators.flatMap((simulator) =>
        Array.from({ length: simulator.atOnce ?? 1 }, () =>
          simulator.run({ kind: 'run', script: { seed: 1, steps: [], requirement: null } }),
        ),
      ),
    )
    let simulatedMs = 0
    const start = performance.now()
    await runPlan(
      simulators,
      planRuns({ patterns: [], seed: 1, runs, family: historyFamily, failures: [] }),
      ({ log }) => {
        simulatedMs += (log.at(-1)?.nowMs ?? baseMs) - baseMs
      },
    )
    const realMs = performance.now() - start
    return { perSecond: (runs * 1000) / realMs, simulatedPerReal: simulatedMs / realMs }
  } finally {
    await Promise.all(simulators.map((simulator) => simulator.stop()))
  }
}
