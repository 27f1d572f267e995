import { type InProcessService, type ServiceSeams, startInProcess } from '../../service/testing.ts'
import { split } from '../../simulation/seed.ts'
import type { World } from '../../simulation/world/world.ts'

type Deps = Parameters<NonNullable<ServiceSeams['deps']>>[0]

/** Store methods that change what is remembered. Every report spends the budget, so spending it is not state of a swap. */
const WRITES: ReadonlySet<string> = new Set(['insertBuild', 'recordAttribution', 'insertKey', 'revokeKey'])

/** Access that only a service in this process offers: its world, its writes to the store, and twins of it. */
export class Inside {
  readonly world: World
  readonly #seed: number
  readonly #seams: ServiceSeams
  #deps: Deps | null = null
  #writes: string[] = []
  /** Called right before each write of the service to its store. */
  onWrite: ((method: string) => void) | null = null

  constructor(world: World, seed: number, seams: ServiceSeams) {
    this.world = world
    this.#seed = seed
    this.#seams = seams
  }

  /** Resets the world: chain, service, store, clock. */
  async reset(): Promise<void> {
    this.#writes = []
    this.onWrite = null
    await this.world.reset(this.#seed, {
      ...this.#seams,
      deps: (deps) => {
        // Below the changes of a broken service to its store, so that its actual writes are noted.
        const noted = { ...deps, store: this.#noting(deps.store) }
        this.#deps = this.#seams.deps?.(noted) ?? noted
        return this.#deps
      },
    })
  }

  /** Store methods by which the service has written since the reset, in order. */
  get writes(): readonly string[] {
    return this.#writes
  }

  /** Returns a second service on the same chain and clock, with other ports; the caller closes it. */
  async twin(change: (deps: Deps) => Deps): Promise<InProcessService> {
    if (this.#deps === null) throw new RangeError('the world was not reset')
    const ids = { uuid: uuids(split(this.#seed, 'property.twin')), secret: this.#deps.ids.secret }
    const { deps: _deps, ...rest } = this.#seams
    return startInProcess(change({ ...this.#deps, ids }), rest)
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
