import { gunzipSync } from 'node:zlib'
import { type Hex, hexToBytes } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBareChain } from '../sandbox/bareChain.ts'
import { type Sandbox, startSandbox } from '../sandbox/sandbox.ts'
import { type BaseWorld, baseWorld, genesisState } from './baseWorld.ts'
import { stateRootsOf } from './stateRoots.ts'

const ACCOUNT = '0x00000000000000000000000000000000000000aa'
const NO_WORD: Hex = `0x${'0'.repeat(64)}`

describe('the root of a state', () => {
  it('of Anvil includes a slot of value zero', async () => {
    const chain = await startBareChain()
    try {
      const state = genesisState()
      const { ethereum, node } = stateRootsOf(state)
      expect([ethereum, node]).toEqual([node, (await chain.chain.mine()).stateRoot])
      await chain.rpc.request('anvil_setStorageAt', [ACCOUNT, '0x0', NO_WORD])
      state.setSlot(ACCOUNT, NO_WORD, NO_WORD)
      const roots = stateRootsOf(state)
      expect(roots.ethereum).toBe(ethereum)
      expect(roots.node).not.toBe(ethereum)
      expect((await chain.chain.mine()).stateRoot).toBe(roots.node)
    } finally {
      await chain.stop()
    }
  })
})

interface DumpedAccount {
  readonly nonce: number
  readonly balance: Hex
  readonly code: Hex
  readonly storage: Readonly<Record<Hex, Hex>>
}

describe('the base world', () => {
  let sandbox: Sandbox
  let world: BaseWorld
  beforeAll(async () => {
    ;[sandbox, world] = await Promise.all([startSandbox(), baseWorld()])
  })
  afterAll(() => sandbox.stop())

  it('is that of the sandbox, by its hashes and roots', async () => {
    const { hash, stateRoot } = sandbox.base
    expect([world.hash, world.roots.node]).toEqual([hash, stateRoot])
    expect(world.roots.ethereum).not.toBe(stateRoot)
    expect({ ...world.manifest, rpcUrl: '' }).toEqual({ ...sandbox.manifest, rpcUrl: '' })
  })

  it('has the same accounts to the slot, with what Anvil keeps of reads', async () => {
    const dump = hexToBytes(await sandbox.rpc.request<Hex>('anvil_dumpState'))
    const { accounts } = JSON.parse(gunzipSync(dump).toString()) as {
      accounts: Record<Hex, DumpedAccount>
    }
    const { state } = world
    const kept = state.footprint?.accounts ?? new Set<Hex>()
    const made = [...new Set([...state.accounts.keys(), ...kept])].map((address) => {
      const account = state.accounts.get(address)
      const slots = state.slotsOf(address)
      const keys = new Set([...slots.keys(), ...(state.footprint?.slotsOf(address) ?? [])])
      return [
        address,
        Number(account?.nonce ?? 0n),
        account?.balance ?? 0n,
        account?.code ?? '0x',
        new Map([...keys].map((key) => [key, BigInt(slots.get(key) ?? 0)] as const)),
      ] as const
    })
    const dumped = Object.entries(accounts).map(([address, { nonce, balance, code, storage }]) => {
      const slots = Object.entries(storage).map(([key, value]) => [key, BigInt(value)] as const)
      return [address, nonce, BigInt(balance), code, new Map(slots)] as const
    })
    expect(new Map(made.map(([address, ...rest]) => [address, rest]))).toEqual(
      new Map(dumped.map(([address, ...rest]) => [address, rest])),
    )
    const withZeros = dumped.filter(([, , , , slots]) => [...slots.values()].includes(0n))
    expect([dumped.length, withZeros.length]).toEqual([74, 23])
  })
})
