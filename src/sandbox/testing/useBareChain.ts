import { afterAll, beforeAll, beforeEach } from 'vitest'
import { startBareChain } from '../bareChain.ts'

export type BareChain = Awaited<ReturnType<typeof startBareChain>>

/** Starts a chain without contracts for the tests of a file, and gives it to each of them at its first block. */
export function useBareChain(): BareChain {
  const bare = {} as BareChain
  beforeAll(async () => {
    Object.assign(bare, await startBareChain())
  })
  afterAll(() => bare.stop())
  beforeEach(() => bare.reset())
  return bare
}
