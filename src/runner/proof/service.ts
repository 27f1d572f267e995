import type { ClientSeams } from '../../client/inProcessProgram.ts'
import type { ServiceSeams } from '../../service/testing.ts'
import type { World } from '../../simulation/world/world.ts'
import type { Exchange } from '../../spec/exchange.ts'
import { type Declaration, inProcessEnvironment } from '../../targets/environment/inProcess.ts'
import type { Case } from '../cases/case.ts'
import { type CaseResult, runCase } from '../cases/runCase.ts'

/** Every case runs under one seed, so that the proof does not depend on luck. */
export const PROOF_SEED = 1

/** The reference with parts replaced: broken, or conforming in another way. */
export interface ChangedService {
  readonly seams: ServiceSeams
  /** Declarations that differ from the reference's. Default: none. */
  readonly declares?: Partial<Declaration>
  /** Changes to the reference client. Default: none. */
  readonly client?: ClientSeams
}

/** Result of a case on a service, with its exchanges. */
export interface Ended {
  readonly result: CaseResult
  readonly exchanges: readonly Exchange[]
}

/**
 * Runs one case against a service, in a world that is reset first.
 *
 * @param strict true if conventions count. Default: no.
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

/** Runs cases against the reference, each once, when it is first needed. */
export class Reference {
  readonly #known = new Map<string, Promise<Ended>>()

  /** Returns the result of a case, and runs it in this world if it has not been run yet. */
  of(world: World, testCase: Case): Promise<Ended> {
    const ended = this.#known.get(testCase.id) ?? runOn(world, { seams: {} }, testCase)
    this.#known.set(testCase.id, ended)
    return ended
  }

  /** Returns the result of each case. Cases that another caller is running are awaited last. */
  async all(world: World, cases: readonly Case[]): Promise<readonly Ended[]> {
    for (const one of cases) if (!this.#known.has(one.id)) await this.of(world, one)
    return Promise.all(cases.map((one) => this.of(world, one)))
  }
}

/** Returns the responses that a case received, as text. */
export function responsesOf(exchanges: readonly Exchange[]): string {
  return JSON.stringify(exchanges.map(({ response }) => response))
}
