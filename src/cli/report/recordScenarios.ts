import { recordScript } from '../../recordings/record/recordScript.ts'
import { writeRecording } from '../../runner/cases/writeRecording.ts'
import type { Scenario } from '../../runner/scenarios/scenarioFile.ts'
import { createWorld } from '../../simulation/world/world.ts'

/** Runs scenarios once more and writes their recordings into a directory. */
export async function recordScenarios(
  scenarios: readonly Scenario[],
  seed: number,
  directory: string,
): Promise<void> {
  const world = await createWorld({ seed, stateRoots: true })
  try {
    for (const { id, steps } of new Set(scenarios)) {
      writeRecording(directory, await recordScript(world, { name: id, seed, steps }))
    }
  } finally {
    await world.stop()
  }
}
