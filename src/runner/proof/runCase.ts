import type { ServiceSeams } from '../../service/testing.ts'
import { createWorld, type World } from '../../simulation/world/world.ts'
import type { Exchange } from '../../spec/exchange.ts'
import { type Declaration, inProcessEnvironment } from '../../targets/environment/inProcess.ts'
import type { Case } from '../cases/case.ts'
import { type CaseResult, runCase } from '../cases/runCase.ts'
import { type Lanes, openLanes } from '../pool/lanes.ts'

/** Every case runs under one seed: the proof is about the case, not about its luck. */
export const PROOF_SEED = 1

/** The worlds of a proof, each with a chain of its own. A result does not depend on its world: every case starts from a reset one. */
export type ProofWorlds = Lanes<World>

/**
 * Opens worlds as jobs call for them.
 *
 * @param atOnce default: two, as one computes while another waits for its chain.
 */
export function proofWorlds(atOnce = 2): ProofWorlds {
  return openLanes(() => createWorld({ seed: PROOF_SEED }), atOnce)
}

/** Describes what the service declares instead of what the reference does, and whether conventions count. */
interface TrialOptions {
  readonly declares?: Partial<Declaration>
  readonly strict?: boolean
}

/** Runs one case against the service with these seams, in a world that is reset first, and returns its exchanges as well. */
export async function exchangeAgainst(
  world: World,
  testCase: Case,
  seams: ServiceSeams,
  { declares = {}, strict = false }: TrialOptions = {},
): Promise<Trial> {
  const environment = inProcessEnvironment(world, { seed: PROOF_SEED, seams, declares })
  const result = await runCase(testCase, {
    enter: async () => {
      await environment.fresh()
      return environment
    },
    strict,
    replay: ({ id }) => `npx plumbline run --seed ${PROOF_SEED} --only ${id}`,
  })
  return { result, exchanges: [...environment.transcript] }
}

/** Runs one case against the service with these seams, in a world that is reset first. */
export async function runAgainst(...trial: Parameters<typeof exchangeAgainst>): Promise<CaseResult> {
  return (await exchangeAgainst(...trial)).result
}

/** Describes how a case ends on a service, and what it exchanges with it. */
export interface Trial {
  readonly result: CaseResult
  readonly exchanges: readonly Exchange[]
}

/** Cases run against the reference: each once, when it is first needed. */
export interface Reference {
  of(world: World, testCase: Case): Promise<Trial>
}

export function createReference(): Reference {
  const known = new Map<string, Promise<Trial>>()
  return {
    of: (world, testCase) => {
      const found = known.get(testCase.id) ?? exchangeAgainst(world, testCase, {})
      known.set(testCase.id, found)
      return found
    },
  }
}

/** Returns every response that a case received, as text. */
export function responsesOf(exchanges: readonly Exchange[]): string {
  return JSON.stringify(exchanges.map(({ response }) => response))
}
