import { afterAll, beforeAll, beforeEach } from 'vitest'
import { startBareChain } from '../bareChain.ts'

export type BareChain = Awaited<ReturnType<typeof startBareChain>>

/** Starts a chain without contracts for the tests of a file, and resets it to its genesis block before each. */
export function useBareChain(): BareChain {
  const bare = {} as BareChain
  beforeAll(async () => {
    Object.assign(bare, await startBareChain())
  })
  afterAll(() => bare.stop())
  beforeEach(() => bare.reset())
  return bare
}
