import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Block } from './blocks.ts'
import { startLiveMining } from './live.ts'

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
const unexpected = (error: unknown) => {
  throw error
}

it('mines a block every block time, with the time of the wall clock', async () => {
  const chain = recordedChain(START_S)
  const live = startLiveMining(chain, 500, unexpected)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(chain.mined).toEqual([START_S, START_S + 1, START_S + 1, START_S + 2])
  await live.pause()
})

it('lets time stand still while the chain is ahead of the wall clock', async () => {
  const chain = recordedChain(START_S + 2)
  const live = startLiveMining(chain, 1_000, unexpected)
  await vi.advanceTimersByTimeAsync(4_000)
  expect(chain.mined).toEqual([START_S + 2, START_S + 2, START_S + 3, START_S + 4])
  await live.pause()
})

it('mines nothing while paused and goes on when resumed', async () => {
  const chain = recordedChain(START_S)
  const live = startLiveMining(chain, 1_000, unexpected)
  await live.pause()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(chain.mined).toEqual([])
  live.resume()
  live.resume()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(chain.mined).toEqual([START_S + 6])
  await live.pause()
})

it('ends with one report when a block cannot be mined', async () => {
  const failures: unknown[] = []
  const broken = { ...recordedChain(START_S), head: () => Promise.reject(new Error('gone')) }
  startLiveMining(broken, 1_000, (error) => failures.push(error))
  await vi.advanceTimersByTimeAsync(5_000)
  expect(failures).toEqual([new Error('gone')])
})
