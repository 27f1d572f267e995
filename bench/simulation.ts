import { planRuns } from '../src/cli/simulate/plan.ts'
import { makeRuns } from '../src/cli/simulate/run.ts'
import { startWorker } from '../src/cli/simulate/workerProcess.ts'
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
  const simulators = Array.from({ length: workers }, startWorker)
  try {
    await Promise.all(simulators.map((simulator) => simulator.run({ seed: 1, steps: [] })))
    let simulatedMs = 0
    const start = performance.now()
    await makeRuns(
      simulators,
      planRuns([], { seed: 1, runs }).filter(({ name }) => name === 'random'),
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
