import type { ServiceSeams } from '../../service/testing.ts'
import type { World } from '../../simulation/world.ts'
import type { Exchange } from '../../targets/exchange.ts'
import { clearTranscript, transcriptOf } from '../../targets/inProcess.ts'
import { type Check, type CheckResult, runChecks } from '../suite.ts'

/** Every case runs under one seed: the proof is about the case, not about its luck. */
export const PROOF_SEED = 1

export type Suite = readonly Check<World>[]

/** Runs one case against the service with these seams, in a world that was reset. */
export async function runCase(world: World, check: Check<World>, seams: ServiceSeams): Promise<CheckResult> {
  const [result] = await runChecks([check], {
    enter: async () => {
      await world.reset(PROOF_SEED, seams)
      clearTranscript(world)
      return world
    },
    replay: ({ id }) => `npx plumbline run --seed ${PROOF_SEED} --only ${id}`,
    transcript: transcriptOf,
  })
  if (result === undefined) throw new TypeError(`the case ${check.id} returned no result`)
  return result
}

/** How a case ends on the reference, and what it exchanges with it. */
export interface OnReference {
  readonly result: CheckResult
  readonly exchanges: readonly Exchange[]
}

/** Cases run against the reference: each once, when it is first needed. */
export interface Reference {
  of(world: World, check: Check<World>): Promise<OnReference>
}

export function createReference(): Reference {
  const known = new Map<string, Promise<OnReference>>()
  const run = async (world: World, check: Check<World>): Promise<OnReference> => {
    const result = await runCase(world, check, {})
    return { result, exchanges: [...transcriptOf(world)] }
  }
  return {
    of: (world, check) => {
      const found = known.get(check.id) ?? run(world, check)
      known.set(check.id, found)
      return found
    },
  }
}

/** Every response that a case received, as text. */
export function responsesOf(exchanges: readonly Exchange[]): string {
  return JSON.stringify(exchanges.map(({ response }) => response))
}
