import { conformanceCases } from '../../../conformance/index.ts'
import { PARTNER_KEYS } from '../../fixtures/partners.ts'
import { recordScript } from '../../recordings/record/recordScript.ts'
import { timelineOf } from '../../recordings/timeline/fromRecording.ts'
import type { Results } from '../../reporting/results.ts'
import type { Timeline } from '../../reporting/timeline/model.ts'
import type { Case } from '../../runner/cases/case.ts'
import { type CaseResult, runCase } from '../../runner/cases/runCase.ts'
import { scenarioCase } from '../../runner/scenarios/scenarioCases.ts'
import { namedScenarios } from '../../runner/scenarios/scenarioFolder.ts'
import { resultOf } from '../../runner/verdict/result.ts'
import type { ServiceSeams } from '../../service/testing.ts'
import { createWorld, type World } from '../../simulation/world/world.ts'
import { inProcessEnvironment } from '../../targets/environment/inProcess.ts'
import { EVERY_CAPABILITY } from '../../targets/scope.ts'
import { inProcessTransport } from '../../targets/transports/inProcessTransport.ts'
import { serveTransport } from '../../targets/transports/serveTransport.ts'

/** A run against a service that violates requirements, and the service, which is still running. */
export interface BrokenRun {
  readonly results: Results
  readonly timelines: Timeline[]
  /** Base URL of the broken service. */
  readonly baseUrl: string
  /** A key that it knows. */
  readonly key: string
  stop(): Promise<void>
}

const SEED = 1

/** Responds with 422 to malformed requests, where §7 requires 400. */
const MISTAKEN: ServiceSeams = {
  wire: (service) => ({
    ...service,
    inject: async (request) => {
      const answer = await service.inject(request)
      const mistaken = request.url === '/api/v1/swap/build' && answer.statusCode === 400
      return mistaken ? { ...answer, statusCode: 422 } : answer
    },
  }),
}

/** Runs a few cases and one scenario against a broken service, and serves it over HTTP. */
export async function brokenRun(pickCase: (id: string) => boolean, scenarioId: string): Promise<BrokenRun> {
  const world = await createWorld({ seed: SEED, seams: MISTAKEN, stateRoots: true })
  const scenario = namedScenarios().find(({ id }) => id === scenarioId)
  if (scenario === undefined) throw new RangeError(`there is no scenario ${scenarioId}`)
  const suites = [
    {
      name: 'conformance',
      cases: await runAll(
        world,
        conformanceCases().filter(({ id }) => pickCase(id)),
      ),
    },
    { name: 'scenarios', cases: await runAll(world, [scenarioCase(scenario)]) },
  ]
  const recording = await recordScript(world, { name: scenario.id, seed: SEED, steps: scenario.steps })
  await world.reset(SEED)
  const server = await serveTransport(inProcessTransport(() => world.app))
  return {
    results: resultOf({
      command: 'conform',
      target: 'a service with mistakes',
      seed: SEED,
      profile: 'sandbox',
      capabilities: EVERY_CAPABILITY,
      suites,
      whole: false,
    }),
    timelines: [timelineOf(recording)],
    baseUrl: server.url,
    key: PARTNER_KEYS.one.secret,
    stop: async () => {
      await server.stop()
      await world.stop()
    },
  }
}

async function runAll(world: World, cases: readonly Case[]): Promise<readonly CaseResult[]> {
  const environment = inProcessEnvironment(world, { seams: MISTAKEN })
  const results: CaseResult[] = []
  for (const testCase of cases) {
    const result = await runCase(testCase, {
      enter: async () => {
        await environment.fresh()
        return environment
      },
      replay: ({ id }) => `npx plumbline conform reference --seed ${SEED} --only ${id}`,
    })
    results.push(result)
  }
  return results
}
