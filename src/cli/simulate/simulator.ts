import { type RandomRunProblem, runScript, type ScriptRun } from '../../runner/randomRun.ts'
import { type ShrunkScript, shrinkScript } from '../../runner/shrink.ts'
import type { StepInput } from '../../simulation/steps.ts'
import type { World } from '../../simulation/world.ts'

/** A script and the seed of its world. */
export interface Script {
  readonly seed: number
  readonly steps: readonly StepInput[]
}

/** A world somewhere, in which scripts are run one after another. */
export interface Simulator {
  run(script: Script): Promise<ScriptRun>
  shrink(script: Script, problem: RandomRunProblem): Promise<ShrunkScript>
  stop(): Promise<void>
}

/** Runs scripts in a world of this process. */
export function simulatorIn(world: World): Simulator {
  return {
    run: ({ seed, steps }) => runScript(world, seed, steps),
    shrink: ({ seed, steps }, problem) =>
      shrinkScript((each) => runScript(world, seed, each), { steps, problem }),
    stop: () => world.stop(),
  }
}
