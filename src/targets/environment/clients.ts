import type { ClientRecord } from '../../client/clientLog.ts'
import { type ClientPlan, ClientRun } from '../../client/clientRun.ts'
import type { ClientWorld, DrivenTime } from '../../client/clientWorld.ts'
import type { Program } from '../../client/program.ts'
import type { ObservedClient } from '../../oracles/index.ts'
import type { Carrier } from '../../sandbox/rpc.ts'
import type { DrivenChain } from '../../simulation/world/drivenChain.ts'
import type { Exchange, Transport } from '../../spec/exchange.ts'
import { REAL_DRIVEN_TIME } from '../realTime.ts'

/** Runs a client against the service and the chain of an environment. */
export interface ClientUnderTest {
  /** Factor for the time that a client has: 1 where a block comes each second. */
  readonly timeScale: number
  /** @param program default: the client of the session */
  run(plan: ClientPlan, program?: Program): Promise<ClientRecord>
}

export interface ClientOptions {
  readonly program: Program
  readonly time: DrivenTime
  readonly blockTimeMs: number
  readonly timeScale: number
}

/** Time between two blocks where time is real: twelve confirmations take about two seconds. */
export const REAL_BLOCK_TIME_MS = 150
/** Blocks come faster than in virtual time, but a program takes a while to start. */
const REAL_TIME_SCALE = 0.4

/** Returns the settings of a client in real time. */
export function inRealTime(program: Program): ClientOptions {
  return { program, time: REAL_DRIVEN_TIME, blockTimeMs: REAL_BLOCK_TIME_MS, timeScale: REAL_TIME_SCALE }
}

/** The service, chain and node that a client uses. */
export interface ClientContext {
  readonly chain: DrivenChain
  readonly service: Transport
  /** Opens a connection to the node. */
  open(): Carrier
  /** Prepares the account, so that a service that remembers earlier cases meets no transaction twice. Default: it remembers none. */
  prepare?(plan: Pick<ClientPlan, 'account' | 'goal'>): Promise<void>
  /** Gets what a client sent. */
  ended?(observed: ObservedClient): void
}

/**
 * Returns a client of any service whose chain can be controlled.
 *
 * @param onExchange receives each exchange of the client with the service.
 */
export function clientOn(
  { chain, service, open, prepare, ended }: ClientContext,
  { time: { time, track, settle }, blockTimeMs, timeScale, ...session }: ClientOptions,
  onExchange: (exchange: Exchange) => void,
): ClientUnderTest {
  let last: Promise<unknown> = Promise.resolve()
  const inTurn: ClientWorld['inTurn'] = (action) =>
    track(() => {
      const done = last.then(action)
      last = done.catch(() => {})
      return done
    })
  return {
    timeScale,
    run: async (plan, program = session.program) => {
      await prepare?.(plan)
      const carrier = open()
      const node: Transport = async ({ body }) => ({
        ...{ status: 200, headers: { 'content-type': 'application/json' } },
        body: await carrier.send(body ?? ''),
      })
      const clock = { time, blockTimeMs, inTurn, track, settle }
      const shared = { program, chain, service, node, onExchange, ...clock }
      try {
        const record = await new ClientRun(shared, plan).run()
        ended?.(record.observed)
        return record
      } finally {
        carrier.close()
      }
    },
  }
}
