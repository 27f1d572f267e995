import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Block, TimeGoesBackError } from './blocks.ts'
import { startLiveMining } from './live.ts'
import { RpcConnectionError, RpcError } from './rpc.ts'

const START_S = 1_800_000_000
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: START_S * 1000 })
})
afterEach(() => {
  vi.useRealTimers()
})

function recordedChain(headTimestampS: number) {
  const mined: number[] = []
  const block = (timestampS: number) => ({ timestampS }) as Block
  return {
    mined,
    head: async () => block(mined.at(-1) ?? headTimestampS),
    mineAt: async (timestampS: number) => {
      mined.push(timestampS)
      return block(timestampS)
    },
  }
}
it('mines a block every block time, with the time of the wall clock', async () => {
  const chain = recordedChain(START_S)
  const live = startLiveMining(chain, 500)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(chain.mined).toEqual([START_S, START_S + 1, START_S + 1, START_S + 2])
  await live.pause()
})

it('lets time stand still while the chain is ahead of the wall clock', async () => {
  const chain = recordedChain(START_S + 2)
  const live = startLiveMining(chain, 1_000)
  await vi.advanceTimersByTimeAsync(4_000)
  expect(chain.mined).toEqual([START_S + 2, START_S + 2, START_S + 3, START_S + 4])
  await live.pause()
})

it('mines nothing while paused and goes on when resumed', async () => {
  const chain = recordedChain(START_S)
  const live = startLiveMining(chain, 1_000)
  await live.pause()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(chain.mined).toEqual([])
  live.resume()
  live.resume()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(chain.mined).toEqual([START_S + 6])
  await live.pause()
})

it('continues when another caller mined a later block meanwhile', async () => {
  const chain = recordedChain(START_S)
  const refusals = [new TimeGoesBackError(2, 1), new RpcError('evm_mine', { code: -32602, message: 'lower' })]
  const raced = {
    ...chain,
    mineAt: async (timestampS: number) => {
      const refusal = refusals.shift()
      if (refusal !== undefined) throw refusal
      return chain.mineAt(timestampS)
    },
  }
  const live = startLiveMining(raced, 1_000)
  await vi.advanceTimersByTimeAsync(3_000)
  expect(chain.mined).toEqual([START_S + 3])
  await live.pause()
})

it('ends when the node no longer responds', async () => {
  let asked = 0
  const head = async () => {
    asked += 1
    throw new RpcConnectionError('http://127.0.0.1:1', 'gone')
  }
  const live = startLiveMining({ ...recordedChain(START_S), head }, 1_000)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(asked).toBe(1)
  await live.pause()
})
