import { createRequire, syncBuiltinESMExports } from 'node:module'
import type { Socket } from 'node:net'
import { PlumblineError } from '../../spec/errors.ts'
import { moduleAt } from './moduleAt.ts'

/** The service bypassed its ports, so that a run would no longer follow from its seed. */
export class SimulationLeakError extends PlumblineError {
  override readonly name = 'SimulationLeakError'
  readonly api: string
  /** The calling line, such as `src/service/quote/file.ts:12`; without its number where source maps are missing. */
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
   * Receives each leak as well: the service may catch the thrown error.
   *
   * @param isOwn true if no other simulation was armed, so that the leak must come from this one.
   */
  readonly onLeak?: (leak: SimulationLeakError, isOwn: boolean) => void
}

const OWN_MODULE = 'src/simulation/tripwire/tripwire.ts'
const WATCHED = 'src/service/'
const FREE = 'src/service/system/'
/** Between a call of `http.request` and its socket there are a dozen frames of Node's own. */
const STACK_DEPTH = 40

/** The CommonJS versions of built-in modules: changes to them reach imports through `syncBuiltinESMExports`. */
const require = createRequire(import.meta.url)
const nodeCrypto = require('node:crypto') as { randomUUID: unknown }
const timers = require('node:timers') as Record<'setTimeout' | 'setInterval', unknown>
const net = require('node:net') as { Socket: { prototype: { connect: unknown } } }

/**
 * Makes functions that would let a run escape its seed throw `SimulationLeakError` when the service's own code calls them:
 * `Date.now`, `new Date()` and `Date()`, `Math.random`, `crypto.randomUUID`, `setTimeout`, `setInterval`, `fetch`, and sockets
 * to any address but the node at `rpcUrl`. The stack identifies the caller: the nearest frame that is not Node's own is under
 * src/service, outside src/service/system.
 *
 * Not caught: calls by libraries, even on behalf of the service; functions that a module stored in a variable before the
 * arming; sockets that are opened later, when the stack no longer shows the caller; other sources of time and randomness, such
 * as `performance.now` and `randomBytes`, which the house rules forbid in the source.
 *
 * Simulations of one process may overlap: while any is armed, each is informed of every leak, since they run the same service,
 * and the nodes of all may be reached.
 *
 * @returns a function that disarms.
 */
export function arm(options: TripwireOptions): () => void {
  const armed = { ...options, node: endpointOf(new URL(options.rpcUrl)) }
  if (arms.size === 0) unwire = wire()
  arms.add(armed)
  return () => {
    if (arms.delete(armed) && arms.size === 0) unwire()
  }
}

/** The armed simulations, and the function that removes the guards after the last of them. */
const arms = new Set<TripwireOptions & { readonly node: ReadonlySet<string> }>()
let unwire = () => {}

/** Guards the globals of this process. Returns a function that restores them. */
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
    // `setTimeout` has its promisified form as a symbol property, which a replacement must have too.
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

/** Returns the line of the service that called the function `self`, or null when other code did. */
function serviceCaller(self: Callable): string | null {
  const limit = Error.stackTraceLimit
  const prepare = Error.prepareStackTrace
  try {
    Error.prepareStackTrace = (_error, sites) => sites
    // Nearly all calls come from the first frame's file, and capturing each further frame takes as long again.
    const site = nearestForeign(self, 1) ?? nearestForeign(self, STACK_DEPTH)
    const module = site === undefined ? '' : moduleOf(site)
    if (!module.startsWith(WATCHED) || module.startsWith(FREE)) return null
    // The lookup of the line in the original source is slow, so it is done for a leak only.
    Error.prepareStackTrace = prepare
    const trace: { stack?: string } = {}
    Error.captureStackTrace(trace, self)
    return placeIn(trace.stack ?? '', module) ?? module
  } finally {
    Error.prepareStackTrace = prepare
    Error.stackTraceLimit = limit
  }
}

/** Returns the nearest of the first `depth` callers of `self` that is neither Node's own nor in this file. */
function nearestForeign(self: Callable, depth: number): NodeJS.CallSite | undefined {
  const seen: { stack?: unknown } = {}
  Error.stackTraceLimit = depth
  Error.captureStackTrace(seen, self)
  return (seen.stack as readonly NodeJS.CallSite[]).find(isForeign)
}

/** Returns a module with the line of its first frame; undefined where the stack has no source lines, as in a package. */
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

/** Returns the destination of `Socket.connect`, in any of the forms of its arguments. */
function targetOf(args: readonly unknown[]): string {
  // `net.connect` passes its arguments as one array.
  const [first, second] = (Array.isArray(args[0]) ? args[0] : args) as Parameters<Socket['connect']>[number][]
  if (typeof first === 'object' && first !== null) {
    const { host, port } = first as { readonly host?: string; readonly port?: number | string }
    return `${host ?? 'localhost'}:${port}`
  }
  return `${typeof second === 'string' ? second : 'localhost'}:${first}`
}
