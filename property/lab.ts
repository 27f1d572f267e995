import { PARTNER_KEYS } from '../src/fixtures/partners.ts'
import { createClient, type SwapClient } from '../src/harness/client.ts'
import { inProcessTransport } from '../src/harness/transports.ts'
import { type InProcessService, type ServiceSeams, startInProcess } from '../src/simulation/seams.ts'
import { split } from '../src/simulation/seed.ts'
import { createWorld, type World } from '../src/simulation/world.ts'
import { readVenueStates, type VenueStates } from '../src/venues-mock/state/venues.ts'

export type KeyName = keyof typeof PARTNER_KEYS
type Deps = Parameters<NonNullable<ServiceSeams['deps']>>[0]

/** Store methods that change what is remembered. The budget is spent by every report, and is no state of a swap. */
const WRITES: ReadonlySet<string> = new Set(['insertBuild', 'recordAttribution', 'insertKey', 'revokeKey'])

interface Tally {
  quotes: number
  builds: number
  confirms: number
  swaps: number
}

/** The pools of a world in which nothing happened yet: always the same, and slow to read. */
const bases = new WeakMap<World, VenueStates>()

/**
 * Where cases are put to the service: one world, begun afresh for every case under the same seed, so that a case gives
 * the same answers alone as among a thousand.
 */
export class Lab {
  readonly world: World
  readonly #seams: ServiceSeams
  readonly #seed: number
  #deps: Deps | null = null
  #writes: string[] = []
  /** Told of every write of the service into its store, right before it. */
  onWrite: ((method: string) => void) | null = null
  readonly #tally: Tally

  private constructor(world: World, seed: number, seams: ServiceSeams, tally: Tally) {
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

  close(): Promise<void> {
    return this.world.stop()
  }

  /** Begins afresh: chain, service, store, clock. */
  async fresh(): Promise<void> {
    this.#writes = []
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

  /** A client of another service, under the first key. */
  clientOf(service: InProcessService): SwapClient {
    return this.#clientOf(() => service, PARTNER_KEYS.one.secret)
  }

  /** What was asked of the service, and how many swaps were executed, since the lab was opened. */
  get tally(): Readonly<Tally> {
    return this.#tally
  }

  /** Counts a swap that was built and executed. */
  countSwap(): void {
    this.#tally.swaps += 1
  }

  #clientOf(service: () => InProcessService, secret: string): SwapClient {
    const transport = inProcessTransport(service)
    return createClient((request) => {
      if (request.path.startsWith('/api/v1/quote')) this.#tally.quotes += 1
      if (request.path === '/api/v1/swap/build') this.#tally.builds += 1
      if (request.path === '/api/v1/swap/confirm') this.#tally.confirms += 1
      return transport(request)
    }, secret)
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

  /** The pools as they stand at the head. No case puts liquidity into a pool with ticks. */
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

  /** Lets enough time pass that no memo answers the next quote. */
  outlastMemo(): void {
    this.world.clock.advanceBy(2_000)
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
