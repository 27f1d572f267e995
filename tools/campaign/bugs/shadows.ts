import { isDeepStrictEqual } from 'node:util'
import { AsyncContext } from '../../../src/host/asyncContext.ts'
import type { Defect } from '../../../src/runner/proof/defect.ts'

type Seams = Defect['seams']
type Deps = Parameters<NonNullable<Seams['deps']>>[0]
type Service = Parameters<NonNullable<Seams['wire']>>[0]
type Call = (...args: readonly never[]) => Promise<unknown>

/** A call of the right service that a broken one is compared with. */
interface RealCall {
  readonly name: string
  readonly args: readonly unknown[]
  readonly result: Promise<unknown>
}

/** Broken services that run next to the right one, on its own calls. */
export interface Shadows {
  /** The right service, watched. */
  readonly seams: Seams
  /** The broken services that would have done anything else since the last call of this, by id. */
  takeFired(): ReadonlySet<string>
}

/**
 * Runs broken services in the shadow of the right one: each gets the calls that the right one makes to its chain and store, and
 * the requests that it gets, with the same results. One that returns the same every time would have had the very same
 * history, so that it need not be run. The others have fired: what comes of it only a run of their own shows.
 */
export function shadowsOf(defects: readonly Defect[]): Shadows {
  const fired = new Set<string>()
  const current = new AsyncContext<RealCall>()
  let shadows: readonly Shadow[] = []

  const compare = async (name: string, args: readonly unknown[], real: () => Promise<unknown>, of: Pick) => {
    const result = real()
    const live = shadows.filter(({ id }) => !fired.has(id))
    const others = live.map((shadow) =>
      current.run({ name, args, result }, () => settled((of(shadow) as Call)(...(args as never[])))),
    )
    const expected = await settled(result)
    for (const [index, other] of others.entries())
      if (!isDeepStrictEqual(await other, expected)) fired.add((live[index] as Shadow).id)
    return result
  }
  const startShadow = ({ id, seams }: Defect, deps: Deps): Shadow => {
    /** Responds to the broken service as the right one was responded to, where it makes the same call. */
    const stub =
      (name: string) =>
      (...args: readonly unknown[]): Promise<unknown> => {
        const real = current.value
        if (real?.name === name && isDeepStrictEqual(real.args, args)) return real.result
        fired.add(id)
        return Promise.reject(new Error('a call that the right service does not make'))
      }
    const inner = { ...deps, chain: { send: stub('send') }, store: methods(deps.store, stub) } as Deps
    const made = seams.deps?.(inner) ?? inner
    const service = { inject: stub('inject'), close: async () => {} } as Service
    return { id, chain: made.chain, store: made.store, service: seams.wire?.(service, made) ?? service }
  }

  return {
    seams: {
      deps: (deps) => {
        shadows = defects.map((defect) => startShadow(defect, deps))
        const store = methods(deps.store, (name) => (...args) => {
          const pick: Pick = (shadow) => shadow.store[name].bind(shadow.store)
          return compare(name, args, () => (deps.store[name] as Call)(...(args as never[])), pick)
        })
        const send: Deps['chain']['send'] = (...args) =>
          compare(
            'send',
            args,
            () => deps.chain.send(...args),
            ({ chain }) => chain.send,
          ) as never
        return { ...deps, store, chain: { send } }
      },
      wire: (service) => ({
        close: () => service.close(),
        inject: (request) =>
          compare(
            'inject',
            [request],
            () => service.inject(request),
            (shadow) => shadow.service.inject,
          ) as never,
      }),
    },
    takeFired: () => {
      const taken = new Set(fired)
      fired.clear()
      return taken
    },
  }
}

interface Shadow {
  readonly id: string
  readonly chain: Deps['chain']
  readonly store: Deps['store']
  readonly service: Service
}
type Pick = (shadow: Shadow) => (...args: never[]) => unknown
type Method = Exclude<keyof Deps['store'], 'close'>

/** A store each of whose methods is made anew. */
function methods(
  store: Deps['store'],
  make: (name: Method) => (...args: readonly unknown[]) => Promise<unknown>,
) {
  const names = Object.keys(store).filter((name): name is Method => name !== 'close' && name !== 'hooks')
  return {
    ...Object.fromEntries(names.map((name) => [name, make(name)])),
    close: () => store.close(),
  } as unknown as Deps['store']
}

/** A result or an error, to be compared. */
async function settled(result: unknown): Promise<{ readonly value?: unknown; readonly error?: unknown }> {
  try {
    return { value: await result }
  } catch (error) {
    return { error }
  }
}
