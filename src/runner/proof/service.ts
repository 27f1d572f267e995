import type { ClientSeams } from '../../client/inProcessProgram.ts'
import type { ServiceSeams } from '../../service/testing.ts'
import type { World } from '../../simulation/world/world.ts'
import type { Exchange } from '../../spec/exchange.ts'
import { type Declaration, inProcessEnvironment } from '../../targets/environment/inProcess.ts'
import type { Case } from '../cases/case.ts'
import { type CaseResult, runCase } from '../cases/runCase.ts'

/** Every case runs under one seed: the proof is about the case, not about its luck. */
export const PROOF_SEED = 1

/** The reference with parts replaced: broken, or another that conforms. */
export interface ChangedService {
  readonly seams: ServiceSeams
  /** What it declares instead of what the reference does. Default: the same. */
  readonly declares?: Partial<Declaration>
  /** What is changed in the reference client instead. Default: nothing. */
  readonly client?: ClientSeams
}

/** Describes how a case ended on a service, and what it exchanged with it. */
export interface Ended {
  readonly result: CaseResult
  readonly exchanges: readonly Exchange[]
}

/**
 * Runs one case against a service, in a world that is reset first.
 *
 * @param strict True if conventions count. Default: they do not.
 */
export async function runOn(
  world: World,
  { seams, declares = {}, client = {} }: ChangedService,
  testCase: Case,
  strict = false,
): Promise<Ended> {
  const environment = inProcessEnvironment(world, { seed: PROOF_SEED, seams, declares, client })
  const result = await runCase(testCase, {
    enter: () => environment.fresh(),
    strict,
    replay: ({ id }) => `npx plumbline run --seed ${PROOF_SEED} --only ${id}`,
  })
  return { result, exchanges: [...environment.transcript] }
}

/** Cases run against the reference: each once, when it is first needed. */
export class Reference {
  readonly #known = new Map<string, Promise<Ended>>()

  /** Returns how a case ends, run in this world where it was not run yet. */
  of(world: World, testCase: Case): Promise<Ended> {
    const ended = this.#known.get(testCase.id) ?? runOn(world, { seams: {} }, testCase)
    this.#known.set(testCase.id, ended)
    return ended
  }

  /** Returns how each case ends. What somebody else runs at the moment is waited for last. */
  async all(world: World, cases: readonly Case[]): Promise<readonly Ended[]> {
    for (const one of cases) if (!this.#known.has(one.id)) await this.of(world, one)
    return Promise.all(cases.map((one) => this.of(world, one)))
  }
}

/** Returns every response that a case received, as text. */
export function responsesOf(exchanges: readonly Exchange[]): string {
  return JSON.stringify(exchanges.map(({ response }) => response))
}
