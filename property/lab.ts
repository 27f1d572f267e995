import { PARTNER_KEYS } from '../src/fixtures/partners.ts'
import { type InProcessService, type ServiceSeams, startInProcess } from '../src/service/testing.ts'
import { split } from '../src/simulation/seed.ts'
import { createWorld, type World } from '../src/simulation/world.ts'
import { createClient, type SwapClient } from '../src/targets/client.ts'
import type { KeyName, SampleSwaps } from '../src/targets/environment.ts'
import type { Transport } from '../src/targets/exchange.ts'
import { clearTranscript, EVERY_CAPABILITY, transcriptOf } from '../src/targets/inProcess.ts'
import { inProcessTransport } from '../src/targets/inProcessTransport.ts'
import { sandboxSamples } from '../src/targets/samples.ts'
import { readVenueStates, type VenueStates } from '../src/venues-mock/state/venues.ts'
import { type Asked, type Bench, countRequest } from './bench.ts'

type Deps = Parameters<NonNullable<ServiceSeams['deps']>>[0]

/** Store methods that change what is remembered. The budget is spent by every report, and is no state of a swap. */
const WRITES: ReadonlySet<string> = new Set(['insertBuild', 'recordAttribution', 'insertKey', 'revokeKey'])

/** The pools of a world in which nothing happened yet: always the same, and slow to read. */
const bases = new WeakMap<World, VenueStates>()

/**
 * Where cases are put to the service: one world, begun afresh for every case under the same seed, so that a case gives
 * the same answers alone as among a thousand.
 */
export class Lab implements Bench {
  readonly world: World
  readonly asReference = true
  readonly capabilities = EVERY_CAPABILITY
  readonly #seams: ServiceSeams
  readonly #seed: number
  #deps: Deps | null = null
  #writes: string[] = []
  /** Told of every write of the service into its store, right before it. */
  onWrite: ((method: string) => void) | null = null
  readonly #tally: Asked

  private constructor(world: World, seed: number, seams: ServiceSeams, tally: Asked) {
    this.world = world
    this.#tally = tally
    this.#seed = seed
    this.#seams = seams
  }

  /** @throws what `createWorld` throws. */
  static async open(seed: number, seams: ServiceSeams = {}): Promise<Lab> {
    return Lab.on(await createWorld({ seed }), seed, seams)
  }

  /** A lab on a world that somebody else made, and ends. */
  static on(world: World, seed: number, seams: ServiceSeams = {}): Lab {
    return new Lab(world, seed, seams, { quotes: 0, builds: 0, confirms: 0, swaps: 0 })
  }

  /** The same lab with another service in it. */
  with(seams: ServiceSeams): Lab {
    return new Lab(this.world, this.#seed, seams, this.#tally)
  }

  get inside(): Lab {
    return this
  }

  get traded(): SampleSwaps['swap'] {
    return sandboxSamples(this.world.manifest).swap
  }

  close(): Promise<void> {
    return this.world.stop()
  }

  /** Begins afresh: chain, service, store, clock. */
  async fresh(): Promise<void> {
    this.#writes = []
    clearTranscript(this.world)
    await this.world.reset(this.#seed, {
      ...this.#seams,
      deps: (deps) => {
        // What a broken service asks of its store is noted, whatever it put around it.
        this.#deps = this.#seams.deps?.({ ...deps, store: this.#noting(deps.store) }) ?? {
          ...deps,
          store: this.#noting(deps.store),
        }
        return this.#deps
      },
    })
    if (!bases.has(this.world)) await this.states()
  }

  client(key: KeyName = 'one'): SwapClient {
    return this.#clientOf(() => this.world.app, PARTNER_KEYS[key].secret)
  }

  hasKey(): boolean {
    return true
  }

  /** A client of another service, under the first key. */
  clientOf(service: InProcessService): SwapClient {
    return this.#clientOf(() => service, PARTNER_KEYS.one.secret)
  }

  /** Since the lab was opened. */
  get tally(): Readonly<Asked> {
    return this.#tally
  }

  countSwap(): void {
    this.#tally.swaps += 1
  }

  #clientOf(service: () => InProcessService, secret: string): SwapClient {
    const transport = inProcessTransport(service)
    const counted: Transport = (request) => {
      countRequest(this.#tally, request.path)
      return transport(request)
    }
    return createClient(counted, secret, transcriptOf(this.world))
  }

  /** A second service on the same chain and clock, with other ports; the caller closes it. */
  async twin(change: (deps: Deps) => Deps): Promise<InProcessService> {
    if (this.#deps === null) throw new RangeError('the lab has not begun')
    const ids = { uuid: uuids(split(this.#seed, 'property.twin')), secret: this.#deps.ids.secret }
    const { deps: _deps, ...rest } = this.#seams
    return startInProcess(change({ ...this.#deps, ids }), rest)
  }

  /** What the service wrote into its store since the case began, method by method. */
  get writes(): readonly string[] {
    return this.#writes
  }

  async states(): Promise<VenueStates> {
    const { sandbox, manifest } = this.world
    const { number, hash } = await sandbox.chain.head()
    const known = bases.get(this.world)
    if (known !== undefined && hash === sandbox.base.hash) return known
    const request = (method: string, params: readonly unknown[]) => sandbox.rpc.request(method, params)
    const states = await readVenueStates(request, manifest, number, known)
    if (hash === sandbox.base.hash) bases.set(this.world, states)
    return states
  }

  outlastMemo(): void {
    this.world.clock.advanceBy(2_000)
  }

  async endMemo(): Promise<void> {
    this.outlastMemo()
  }

  async jump(seconds: number): Promise<void> {
    this.world.clock.advanceBy(seconds * 1_000)
    await this.world.mine()
  }

  #noting(store: Deps['store']): Deps['store'] {
    return new Proxy(store, {
      get: (target, name, receiver) => {
        const member: unknown = Reflect.get(target, name, receiver)
        if (typeof member !== 'function' || !WRITES.has(String(name))) return member
        return (...args: unknown[]) => {
          this.#writes.push(String(name))
          this.onWrite?.(String(name))
          return (member as (...given: unknown[]) => unknown).apply(target, args)
        }
      },
    })
  }
}

function uuids(stream: ReturnType<typeof split>): () => string {
  return () => {
    const hex = stream.hex(16)
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
  }
}
