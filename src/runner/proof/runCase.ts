import type { ServiceSeams } from '../../service/testing.ts'
import { createWorld, type World } from '../../simulation/world/world.ts'
import { type Declaration, inProcessEnvironment, transcriptOf } from '../../targets/environment/inProcess.ts'
import type { Exchange } from '../../targets/exchange.ts'
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

/** Runs one case against the service with these seams, in a world that is reset first. */
export function runAgainst(
  world: World,
  testCase: Case,
  seams: ServiceSeams,
  { declares = {}, strict = false }: TrialOptions = {},
): Promise<CaseResult> {
  return runCase(testCase, {
    enter: async () => {
      const environment = inProcessEnvironment(world, { seed: PROOF_SEED, seams, declares })
      await environment.fresh()
      return environment
    },
    transcript: () => transcriptOf(world),
    strict,
    replay: ({ id }) => `npx plumbline run --seed ${PROOF_SEED} --only ${id}`,
  })
}

/** Describes how a case ends on the reference, and what it exchanges with it. */
export interface OnReference {
  readonly result: CaseResult
  readonly exchanges: readonly Exchange[]
}

/** Cases run against the reference: each once, when it is first needed. */
export interface Reference {
  of(world: World, testCase: Case): Promise<OnReference>
}

export function createReference(): Reference {
  const known = new Map<string, Promise<OnReference>>()
  const run = async (world: World, testCase: Case): Promise<OnReference> => {
    const result = await runAgainst(world, testCase, {})
    return { result, exchanges: [...transcriptOf(world)] }
  }
  return {
    of: (world, testCase) => {
      const found = known.get(testCase.id) ?? run(world, testCase)
      known.set(testCase.id, found)
      return found
    },
  }
}

/** Returns every response that a case received, as text. */
export function responsesOf(exchanges: readonly Exchange[]): string {
  return JSON.stringify(exchanges.map(({ response }) => response))
}
