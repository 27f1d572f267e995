import { type Check, type CheckResult, runChecks } from '../../src/runner/suite.ts'
import type { InjectedRequest, ServiceSeams } from '../../src/service/testing.ts'
import type { World } from '../../src/simulation/world.ts'
import type { HttpRequest } from '../../src/targets/exchange.ts'
import { clearTranscript, transcriptOf } from '../../src/targets/inProcess.ts'

/** Every check runs under one seed: what is proven is the check, not its luck. */
export const PROOF_SEED = 1

/** Puts one check to the service with these seams, in a world as it was at the start. */
export async function putCheck(world: World, check: Check<World>, seams: ServiceSeams): Promise<CheckResult> {
  const [result] = await runChecks([check], {
    enter: async () => {
      await world.reset(PROOF_SEED, seams)
      clearTranscript(world)
      return world
    },
    replay: ({ id }) => `npx plumbline run --seed ${PROOF_SEED} --only ${id}`,
    transcript: transcriptOf,
  })
  if (result === undefined) throw new TypeError(`the check ${check.id} left no result`)
  return result
}

/** What a check asks of the reference, and how it ends there. */
export interface OnReference {
  readonly result: CheckResult
  readonly requests: readonly InjectedRequest[]
  /** Every answer, as text. */
  readonly answers: string
}

/** The checks put to the reference: each once, when somebody first asks for it. */
export interface Reference {
  of(world: World, check: Check<World>): Promise<OnReference>
}

export function createReference(): Reference {
  const known = new Map<string, Promise<OnReference>>()
  const put = async (world: World, check: Check<World>): Promise<OnReference> => {
    const result = await putCheck(world, check, {})
    const requests = transcriptOf(world).map(({ request }) => asInjected(request))
    return { result, requests, answers: answersOf(world) }
  }
  return {
    of: (world, check) => {
      const found = known.get(check.id) ?? put(world, check)
      known.set(check.id, found)
      return found
    },
  }
}

/** Every answer that the last check was given, as text. */
export function answersOf(world: World): string {
  return JSON.stringify(transcriptOf(world).map(({ response }) => response))
}

function asInjected({ method, path, headers, body }: HttpRequest): InjectedRequest {
  return {
    method: method as InjectedRequest['method'],
    url: path,
    headers,
    ...(body === null ? {} : { payload: body }),
  }
}
