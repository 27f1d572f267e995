import type { DrivenChain } from '../src/simulation/drivenChain.ts'
import type { Capability } from '../src/spec/requirements/index.ts'
import { createClient, type SwapClient } from '../src/targets/client.ts'
import type { Environment, KeyName } from '../src/targets/environment.ts'
import { readVenueStates, type VenueStates } from '../src/venues-mock/state/venues.ts'
import { type Asked, type Bench, countRequest } from './bench.ts'

/** Twice the "about 1.5 s" of §4.1, and a little. */
const MEMO_OVER_MS = 3_050

/**
 * A bench of any service that an environment reaches, begun afresh for every case by the environment's own means. Time is as real as
 * the environment's: nothing is waited for that its clients do not wait for, but the end of a memo.
 */
export class ArenaBench implements Bench {
  readonly asReference = false
  readonly inside = null
  readonly tally: Asked = { quotes: 0, builds: 0, confirms: 0, swaps: 0 }
  #environment: Environment
  /** The pools of the first case, before anything happened to them. */
  #base: VenueStates | null = null
  #newest: { readonly hash: string; readonly states: VenueStates } | null = null

  constructor(environment: Environment) {
    this.#environment = environment
  }

  get world(): DrivenChain {
    const { control, manifest, clock } = this.#environment
    // Without control of the chain nobody uses more of it.
    return control ?? ({ manifest, clock } as DrivenChain)
  }

  get environment(): Environment {
    return this.#environment
  }

  get capabilities(): ReadonlySet<Capability> {
    return this.#environment.capabilities
  }

  get traded(): Environment['samples']['swap'] {
    return this.#environment.samples.swap
  }

  /** @throws {RangeError} the environment cannot begin again. What beginning throws. */
  async fresh(): Promise<void> {
    const { fresh: afresh } = this.#environment
    if (afresh === null) throw new RangeError('this environment begins once')
    this.#environment = await afresh()
  }

  hasKey(key: KeyName): boolean {
    return this.#environment.keys.has(key)
  }

  client(key: KeyName = 'one', patience: 'obey-429' | 'none' = 'obey-429'): SwapClient {
    const environment = this.#environment
    const name = this.hasKey(key) ? key : 'one'
    const inner = environment.client(name, patience)
    return createClient(async (request) => {
      countRequest(this.tally, request.path)
      const { exchange } = await inner.send(request)
      const { response, timing } = exchange
      return { ...response, ...(timing === undefined ? {} : { timing }) }
    }, environment.secret(name))
  }

  async states(): Promise<VenueStates> {
    const { sandbox, manifest } = this.world
    const { number, hash } = await sandbox.chain.head()
    if (this.#newest?.hash === hash) return this.#newest.states
    const request = (method: string, params: readonly unknown[]) => sandbox.rpc.request(method, params)
    const states = await readVenueStates(request, manifest, number, this.#base ?? undefined)
    this.#base ??= states
    this.#newest = { hash, states }
    return states
  }

  /** The environment's clients do that by themselves. */
  outlastMemo(): void {}

  endMemo(): Promise<void> {
    return this.#environment.pass(MEMO_OVER_MS)
  }

  async jump(seconds: number): Promise<void> {
    const { timestampS } = await this.world.sandbox.chain.head()
    await this.world.mineAt(timestampS + seconds)
  }

  countSwap(): void {
    this.tally.swaps += 1
  }
}
