import { judgeConfirm } from '../oracles/index.ts'
import type { ScenarioRequest } from '../simulation/exchanges.ts'
import { runSteps } from '../simulation/interpreter.ts'
import type { LoggedAnswer, Run } from '../simulation/runLog.ts'
import { ExpectationError } from '../simulation/stepErrors.ts'
import { arm, type SimulationLeakError } from '../simulation/tripwire.ts'
import type { World } from '../simulation/world.ts'
import { PlumblineError } from '../spec/errors.ts'
import { PromiseBrokenError } from '../targets/blame.ts'
import type { Exchange } from '../targets/exchange.ts'
import { transcriptOf } from '../targets/inProcess.ts'
import { demand } from './demand.ts'
import type { Scenario } from './scenarioFile.ts'
import type { Check } from './suite.ts'

/** A planned fault never struck, so that the story told did not happen: the harness's fault. */
class StoryDidNotHappenError extends PlumblineError {
  override readonly name = 'StoryDidNotHappenError'
  constructor(id: string, problem: string) {
    super(`${id}: ${problem}`, 'Correct the story: plan its faults where the service passes by.')
  }
}

/**
 * Tells a story on a world, which should be fresh, and judges every report of it against the chain as it was.
 *
 * @throws {PromiseBrokenError} an answer breaks a promise, or differs from what the story expects.
 * @throws {StepError} the story cannot be told.
 * @throws {SimulationLeakError} the service reached past its ports.
 * @throws {StoryDidNotHappenError}
 */
export async function tellScenario(world: World, { id, requirements, steps }: Scenario): Promise<Run> {
  const transcript = transcriptOf(world)
  const leaks: SimulationLeakError[] = []
  const disarm = arm({ rpcUrl: world.manifest.rpcUrl, onLeak: (leak) => leaks.push(leak) })
  const run = await runSteps(world, steps, (request, answer) => transcript.push(exchangeOf(request, answer)))
    .catch((error: unknown) => {
      if (!(error instanceof ExpectationError) || leaks.length > 0) throw error
      throw new PromiseBrokenError(
        requirements[0],
        error.expected,
        `${error.seen} (${id}, step ${error.path}, ${error.op})`,
      )
    })
    .finally(() => {
      disarm()
      // What the service answers after a leak does not follow from the story.
      const [leak] = leaks
      if (leak !== undefined) throw leak
    })
  if (run.unmetFaults > 0) throw new StoryDidNotHappenError(id, `${run.unmetFaults} faults never struck`)
  demand(judgeConfirm(run))
  return run
}

function exchangeOf({ method, path, secret, body }: ScenarioRequest, response: LoggedAnswer): Exchange {
  const request = {
    method,
    path,
    headers: { authorization: `Bearer ${secret}` },
    body: body === undefined ? null : JSON.stringify(body),
  }
  return { request, response }
}

/** The story as a check. It resets the world under `seed` first. */
export function scenarioCheck(scenario: Scenario, seed: number): Check<World> {
  return {
    id: `scenario.${scenario.id}`,
    title: scenario.description,
    requirements: scenario.requirements,
    run: async (world) => {
      await world.reset(seed)
      const { log } = await tellScenario(world, scenario)
      const answers = log.flatMap((step) => step.answers)
      return {
        exercised: answers.length,
        notes: [`answers: ${answers.map(({ status }) => status).join(', ')}`],
      }
    },
  }
}
