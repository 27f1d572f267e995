import type { ClientRecord } from '../../client/clientLog.ts'
import { type ClientPlan, ClientRun } from '../../client/clientRun.ts'
import type { ClientWorld } from '../../client/clientWorld.ts'
import type { Program } from '../../client/program.ts'
import type { DrivenTime } from '../../client/virtualTime.ts'
import type { World } from '../../simulation/world/world.ts'
import type { Exchange, Transport } from '../../spec/exchange.ts'

/** Runs a client against the service and the chain of an environment. */
export interface ClientUnderTest {
  /** How much time a client has, as a part of what it has where a block comes each second. */
  readonly timeScale: number
  run(plan: ClientPlan): Promise<ClientRecord>
}

/** Describes how clients run in a world. */
export interface ClientOptions {
  readonly program: Program
  readonly time: DrivenTime
  readonly blockTimeMs: number
  readonly timeScale: number
}

/**
 * Returns a client on a world, whose service it reaches through `service`.
 *
 * @param onExchange gets each exchange of the client with the service.
 */
export function clientOn(
  world: World,
  service: Transport,
  { program, time: { time, track, settle }, blockTimeMs, timeScale }: ClientOptions,
  onExchange: (exchange: Exchange) => void,
): ClientUnderTest {
  let last: Promise<unknown> = Promise.resolve()
  const inTurn: ClientWorld['inTurn'] = (action) =>
    track(async () => {
      const before = last
      let end: () => void = () => {}
      last = new Promise<void>((resolve) => {
        end = resolve
      })
      try {
        await before
        return await action()
      } finally {
        end()
      }
    })
  return {
    timeScale,
    run: async (plan) => {
      const carrier = world.sandbox.open()
      const node: Transport = async ({ body }) => ({
        ...{ status: 200, headers: { 'content-type': 'application/json' } },
        body: await carrier.send(body ?? ''),
      })
      const shared = {
        program,
        chain: world,
        service,
        node,
        time,
        blockTimeMs,
        inTurn,
        track,
        settle,
        onExchange,
      }
      try {
        return await new ClientRun(shared, plan).run()
      } finally {
        carrier.close()
      }
    },
  }
}
