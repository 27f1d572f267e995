import { ACCOUNTS } from '../src/fixtures/accounts.ts'
import { sendSwap } from '../src/runner/executeBuild.ts'
import type { World } from '../src/simulation/world/world.ts'
import type { BuildResponse } from '../src/spec/wire.ts'
import { worldClient } from '../src/targets/environment/inProcess.ts'

export const ASK = { from: 'ETH', to: 'USDG', amount: 0.5, slippageBps: 50 } as const
export const SENDER = ACCOUNTS.alice.address

/** Number of blocks from the swap's own to the one that makes it twelve deep. */
export const BLOCKS = 12

/** Expires the memo, so that each quote reads the chain. */
export const pastTheMemo = (world: World) => world.clock.advanceBy(2_000)

/**
 * Runs one whole lifecycle: quote, build, sign, send, mine twelve blocks, confirm.
 *
 * @throws {Error} if the swap is not credited: only complete work may be counted.
 */
export async function liveOnce(world: World): Promise<BuildResponse> {
  const client = worldClient(world)
  pastTheMemo(world)
  await client.quote(ASK)
  const built = (await client.build({ ...ASK, sender: SENDER })).json as BuildResponse
  const { hash } = await sendSwap(world, 'alice', built)
  await world.mine(BLOCKS)
  const { status, json } = await client.confirm({ buildId: built.attribution?.buildId, txHash: hash })
  if (status !== 200) throw new Error(`a lifecycle ended with ${status} ${JSON.stringify(json)}`)
  return built
}

export interface Throughput {
  readonly perSecond: number
  /** Simulated seconds per real second. */
  readonly simulatedPerReal: number
}

/** Number of lifecycles between two resets, with far fewer blocks than the node keeps states for. */
const BETWEEN_RESETS = 10

/** Returns the rate of lifecycles in parallel worlds, including resets. */
export async function lifecycleThroughput(worlds: readonly World[], each: number): Promise<Throughput> {
  let simulatedMs = 0
  const live = async (world: World) => {
    for (let lived = 0; lived < each; lived += 1) {
      if (lived % BETWEEN_RESETS === 0) await world.reset(1)
      const before = world.clock.nowMs()
      await liveOnce(world)
      simulatedMs += world.clock.nowMs() - before
    }
  }
  const start = performance.now()
  await Promise.all(worlds.map(live))
  const realMs = performance.now() - start
  return { perSecond: (worlds.length * each * 1000) / realMs, simulatedPerReal: simulatedMs / realMs }
}
