import { createRequire, syncBuiltinESMExports } from 'node:module'
import type { Socket } from 'node:net'
import { PlumblineError } from '../../spec/errors.ts'
import { moduleAt } from './moduleAt.ts'

/** The service reached past its ports, so that a run would no longer follow from its seed. */
export class SimulationLeakError extends PlumblineError {
  override readonly name = 'SimulationLeakError'
  readonly api: string
  /** `src/service/quote/file.ts:12`: the line that called it; without its number where no source maps are, as in a package. */
  readonly caller: string
  constructor(api: string, caller: string) {
    super(
      `${api} was called at ${caller} inside a simulation`,
      'Read time, ids and randomness from the ports; only src/service/system may know the machine.',
    )
    this.api = api
    this.caller = caller
  }
}

export interface TripwireOptions {
  /** The one address that sockets may reach. */
  readonly rpcUrl: string
  /**
   * Told of each leak as well: the service may catch what is thrown.
   *
   * @param isOwn whether no other simulation was armed, so that it can be no other's.
   */
  readonly onLeak?: (leak: SimulationLeakError, isOwn: boolean) => void
}

const OWN_MODULE = 'src/simulation/tripwire/tripwire.ts'
const WATCHED = 'src/service/'
const FREE = 'src/service/system/'
/** Between a call of `http.request` and its socket lie a dozen frames of Node's own. */
const STACK_DEPTH = 40

/** The CommonJS faces of built-in modules: what is set there reaches imports through `syncBuiltinESMExports`. */
const require = createRequire(import.meta.url)
const nodeCrypto = require('node:crypto') as { randomUUID: unknown }
const timers = require('node:timers') as Record<'setTimeout' | 'setInterval', unknown>
const net = require('node:net') as { Socket: { prototype: { connect: unknown } } }

/**
 * Makes what would let a run escape its seed throw `SimulationLeakError` when the service's own code calls it:
 * `Date.now`, `new Date()` and `Date()`, `Math.random`, `crypto.randomUUID`, `setTimeout`, `setInterval`, `fetch`, and
 * sockets to anywhere but the node at `rpcUrl`. The stack shows whose call it is: the nearest frame that is not Node's
 * own lies under src/service, outside src/service/system.
 *
 * Not caught: calls of libraries, even on behalf of the service; functions that a module took into a variable of its own
 * before the arming; sockets that are opened later, when the stack no longer shows the caller; other sources of time and
 * randomness, such as `performance.now` and `randomBytes`, which the house rules forbid in the text.
 *
 * Simulations of one process may overlap: while any is armed, each is informed of every leak, since they run the same service,
 * and the nodes of all may be reached.
 *
 * @returns disarms.
 */
export function arm(options: TripwireOptions): () => void {
  const armed = { ...options, node: endpointOf(new URL(options.rpcUrl)) }
  if (arms.size === 0) unwire = wire()
  arms.add(armed)
  return () => {
    if (arms.delete(armed) && arms.size === 0) unwire()
  }
}

/** The simulations that are armed, and how to take the wire away after the last of them. */
const arms = new Set<TripwireOptions & { readonly node: ReadonlySet<string> }>()
let unwire = () => {}

/** Watches what is global in this process. Returns how to stop. */
function wire(): () => void {
  const undo: (() => void)[] = []
  const check = (api: string, self: Callable): void => {
    const caller = serviceCaller(self)
    if (caller === null) return
    const leak = new SimulationLeakError(api, caller)
    for (const { onLeak } of arms) onLeak?.(leak, arms.size === 1)
    throw leak
  }
  const guard = (holder: object, member: string, api: string, applies: Guard = () => true): void => {
    const original = Reflect.get(holder, member) as (...args: unknown[]) => unknown
    const guarded = function (this: unknown, ...args: unknown[]): unknown {
      if (applies(args)) check(api, guarded)
      return Reflect.apply(original, this, args)
    }
    // `setTimeout` carries its promisified form as a symbol, which a replacement must carry too.
    Object.defineProperties(guarded, Object.getOwnPropertyDescriptors(original))
    undo.push(replace(holder, member, guarded))
  }

  guard(Math, 'random', 'Math.random')
  guard(globalThis.crypto, 'randomUUID', 'crypto.randomUUID')
  guard(nodeCrypto, 'randomUUID', 'crypto.randomUUID')
  for (const name of ['setTimeout', 'setInterval'] as const) {
    guard(globalThis, name, name)
    guard(timers, name, name)
  }
  const isAllowed = (target: string) => [...arms].some(({ node }) => node.has(target))
  guard(net.Socket.prototype, 'connect', 'a socket', (args) => !isAllowed(targetOf(args)))
  guard(globalThis, 'fetch', 'fetch')

  const RealDate = Date
  const WatchedDate: DateConstructor = new Proxy(RealDate, {
    construct: (target, args, newTarget) => {
      if (args.length === 0) check('new Date()', WatchedDate)
      return Reflect.construct(target, args, newTarget === WatchedDate ? target : newTarget)
    },
    apply: (target) => {
      check('Date()', WatchedDate)
      return target()
    },
  })
  undo.push(replace(globalThis, 'Date', WatchedDate))
  guard(RealDate, 'now', 'Date.now')

  syncBuiltinESMExports()
  return () => {
    for (const restore of undo.splice(0).reverse()) restore()
    syncBuiltinESMExports()
  }
}

type Callable = (...args: never) => unknown
type Guard = (args: readonly unknown[]) => boolean

function replace(holder: object, member: string, value: unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(holder, member)
  Object.defineProperty(holder, member, { configurable: true, writable: true, enumerable: true, value })
  return () => {
    if (before) Object.defineProperty(holder, member, before)
    else Reflect.deleteProperty(holder, member)
  }
}

/** Returns the line of the service that called the function `self`, or null when somebody else did. */
function serviceCaller(self: Callable): string | null {
  const limit = Error.stackTraceLimit
  const prepare = Error.prepareStackTrace
  try {
    Error.prepareStackTrace = (_error, sites) => sites
    // Nearly all calls come from the file that is named first, and each further frame takes as long again.
    const site = nearestForeign(self, 1) ?? nearestForeign(self, STACK_DEPTH)
    const module = site === undefined ? '' : moduleOf(site)
    if (!module.startsWith(WATCHED) || module.startsWith(FREE)) return null
    // Only a caught leak is worth the lookup of its line in the source as it was written.
    Error.prepareStackTrace = prepare
    const trace: { stack?: string } = {}
    Error.captureStackTrace(trace, self)
    return placeIn(trace.stack ?? '', module) ?? module
  } finally {
    Error.prepareStackTrace = prepare
    Error.stackTraceLimit = limit
  }
}

/** Returns the nearest of so many callers of `self` that is neither Node's own nor of this file. */
function nearestForeign(self: Callable, depth: number): NodeJS.CallSite | undefined {
  const seen: { stack?: unknown } = {}
  Error.stackTraceLimit = depth
  Error.captureStackTrace(seen, self)
  return (seen.stack as readonly NodeJS.CallSite[]).find(isForeign)
}

/** Returns a module with the line of its first frame; undefined where the stack has no lines of sources, as in a package. */
function placeIn(stack: string, module: string): string | undefined {
  const [, after] = stack.replaceAll('\\', '/').split(`/${module}:`)
  return after === undefined ? undefined : `${module}:${Number.parseInt(after, 10)}`
}

function isForeign(site: NodeJS.CallSite): boolean {
  const file = site.getFileName() ?? ''
  return file !== '' && !file.startsWith('node:') && moduleOf(site) !== OWN_MODULE
}

function moduleOf(site: NodeJS.CallSite): string {
  return moduleAt(site.getFileName() ?? '', site.getLineNumber() ?? 0)
}

function endpointOf({ hostname, port, protocol }: URL): ReadonlySet<string> {
  const number = port === '' ? (protocol === 'https:' ? '443' : '80') : port
  return new Set([`${hostname}:${number}`])
}

/** Returns where `Socket.connect` is to go, in any of the forms of its arguments. */
function targetOf(args: readonly unknown[]): string {
  // `net.connect` hands its arguments over as one array.
  const [first, second] = (Array.isArray(args[0]) ? args[0] : args) as Parameters<Socket['connect']>[number][]
  if (typeof first === 'object' && first !== null) {
    const { host, port } = first as { readonly host?: string; readonly port?: number | string }
    return `${host ?? 'localhost'}:${port}`
  }
  return `${typeof second === 'string' ? second : 'localhost'}:${first}`
}
