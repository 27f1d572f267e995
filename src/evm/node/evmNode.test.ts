import fc from 'fast-check'
import { type Hex, numberToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ACCOUNTS, type AccountName } from '../../fixtures/accounts.ts'
import { startBareChain } from '../../sandbox/bareChain.ts'
import { RpcError } from '../../sandbox/rpc.ts'
import { createSigner } from '../../sandbox/signer.ts'
import { LIMITS } from '../../spec/limits.ts'
import { genesisNode } from '../baseWorld.ts'
import type { EvmNode } from './evmNode.ts'

const SENDERS = ['alice', 'bob', 'carol'] as const satisfies readonly AccountName[]
const GWEI = 1_000_000_000n
/** Creates a contract whose code is `ECHO_CODE`. */
const ECHO_CODE =
  // PUSH1 0 CALLDATALOAD DUP1 PUSH1 0 SSTORE DUP1 PUSH1 0 MSTORE DUP1 PUSH1 32 PUSH1 0 LOG1 PUSH1 1 AND PUSH1 27 JUMPI PUSH1 32 PUSH1 0 RETURN JUMPDEST PUSH1 32 PUSH1 0 REVERT
  '60003580600055806000528060206000a16001166 01b5760206000f35b60206000fd'.replace(' ', '')
const CREATION: Hex = `0x60${(ECHO_CODE.length / 2).toString(16)}600c60003960${(ECHO_CODE.length / 2).toString(16)}6000f3${ECHO_CODE}`

type Command =
  | {
      readonly op: 'send'
      readonly sender: number
      readonly ahead: number
      readonly to: number
      readonly type: 'legacy' | 'eip2930' | 'eip1559'
      readonly tip: number
      readonly word: number
      readonly gas: number
    }
  | { readonly op: 'mine'; readonly count: number; readonly laterS: number | null }
  | { readonly op: 'rollback'; readonly depth: number }
  | { readonly op: 'coinbase' | 'drop-all' | 'snapshot' | 'revert' | 'fee'; readonly at: number }
  | { readonly op: 'remove'; readonly sender: number }
  | { readonly op: 'again'; readonly at: number }

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      op: fc.constant('send' as const),
      sender: fc.nat(SENDERS.length - 1),
      ahead: fc.constantFrom(0, 0, 0, 0, 1, -1),
      to: fc.nat(4),
      type: fc.constantFrom('legacy' as const, 'eip2930' as const, 'eip1559' as const),
      tip: fc.nat(3),
      word: fc.nat(9),
      gas: fc.constantFrom(21_000, 120_000, 120_000, 120_000, 20_000, 400_000_000),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      op: fc.constant('mine' as const),
      count: fc.integer({ min: 1, max: 3 }),
      laterS: fc.option(fc.integer({ min: -1, max: 30 })),
    }),
  },
  fc.record({ op: fc.constant('rollback' as const), depth: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ op: fc.constantFrom('coinbase', 'drop-all', 'snapshot', 'revert', 'fee'), at: fc.nat(3) }),
  fc.record({ op: fc.constant('remove' as const), sender: fc.nat(SENDERS.length - 1) }),
  fc.record({ op: fc.constant('again' as const), at: fc.nat(9) }),
)

/** Sends the same request to both nodes. */
type Ask = (method: string, params?: readonly unknown[]) => Promise<unknown>

let anvil: Awaited<ReturnType<typeof startBareChain>>
beforeAll(async () => {
  anvil = await startBareChain()
})
afterAll(() => anvil.stop())

describe('the second EVM as a node', () => {
  it('responds like Anvil to random sequences of sending, mining, rolling back and reading', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 4, maxLength: 30 }), async (commands) => {
        await anvil.reset()
        const node = genesisNode()
        const ask = bothOf(node)
        await run(commands, node, ask)
      }),
      { numRuns: 40, seed: 4663 },
    )
  })
})

/** Sends each request to both nodes and compares the results; of errors, only the code. */
function bothOf(node: EvmNode): Ask {
  const settled = async (answered: Promise<unknown>) =>
    answered.then(
      (result) => ({ result }),
      (error: unknown) => {
        if (error instanceof RpcError) return { refused: error.code }
        const { name, code } = error as { name: string; code: number }
        if (name === 'NodeRefusal') return { refused: code }
        throw error
      },
    )
  return async (method, params = []) => {
    const [theirs, ours] = [
      await settled(anvil.rpc.request(method, params)),
      await settled(node.request(method, params)),
    ]
    expect({ method, params, ...ours }).toEqual({ method, params, ...theirs })
    return 'result' in theirs ? theirs.result : null
  }
}

async function run(commands: readonly Command[], node: EvmNode, ask: Ask): Promise<void> {
  const sent: { readonly hash: Hex; readonly raw: Hex }[] = []
  const contracts: Hex[] = []
  const snapshots: (readonly [Hex, unknown])[] = []
  for (const each of commands) {
    switch (each.op) {
      case 'send': {
        const raw = await signed(each, contracts, ask)
        if (raw === null) break
        const hash = (await ask('eth_sendRawTransaction', [raw])) as Hex | null
        if (hash !== null) sent.push({ hash, raw })
        break
      }
      case 'again': {
        const again = sent[each.at]
        if (again !== undefined) await ask('eth_sendRawTransaction', [again.raw])
        break
      }
      case 'mine': {
        const head = (await ask('eth_getBlockByNumber', ['latest', false])) as { timestamp: Hex }
        const timestamp = each.laterS === null ? null : numberToHex(Number(head.timestamp) + each.laterS)
        await ask('evm_mine_detailed', [{ timestamp, blocks: each.count }])
        break
      }
      case 'rollback':
        // As the sandbox does: Anvil does not check the mempool again when the chain has become shorter.
        await ask('anvil_dropAllTransactions')
        await ask('anvil_rollback', [each.depth])
        break
      case 'coinbase':
        await ask('anvil_setCoinbase', [`0x${'0'.repeat(38)}b${each.at}`])
        break
      case 'fee':
        await ask('anvil_setNextBlockBaseFeePerGas', [numberToHex(BigInt(each.at) * GWEI + 7n)])
        break
      case 'drop-all':
        await ask('anvil_dropAllTransactions')
        break
      case 'remove':
        await ask('anvil_removePoolTransactions', [ACCOUNTS[SENDERS[each.sender] as AccountName].address])
        break
      case 'snapshot':
        snapshots.push(
          await Promise.all([anvil.rpc.request<Hex>('evm_snapshot'), node.request('evm_snapshot')]),
        )
        break
      case 'revert': {
        const [theirs, ours] = snapshots.pop() ?? []
        if (theirs === undefined) break
        await ask('anvil_dropAllTransactions')
        expect(await node.request('evm_revert', [ours])).toBe(await anvil.rpc.request('evm_revert', [theirs]))
        break
      }
    }
    await look(sent, contracts, ask)
  }
}

async function signed(
  { sender, ahead, to, type, tip, word, gas }: Extract<Command, { op: 'send' }>,
  contracts: readonly Hex[],
  ask: Ask,
): Promise<Hex | null> {
  const { address, privateKey } = ACCOUNTS[SENDERS[sender] as AccountName]
  const next = Number(await ask('eth_getTransactionCount', [address, 'pending']))
  const nonce = Math.max(0, next + ahead)
  const { queued } = (await ask('txpool_content')) as { queued: Record<string, Record<number, object>> }
  // When a queued transaction is replaced, Anvil keeps both; the sandbox never replaces one.
  if (queued[address.toLowerCase()]?.[nonce] !== undefined) return null
  const contract = contracts[to % Math.max(1, contracts.length)]
  const isCreation = to === 0
  const base = {
    nonce,
    gas: BigInt(gas),
    chainId: LIMITS.chainId,
    ...(isCreation
      ? { data: CREATION }
      : contract === undefined || to === 4
        ? { to: ACCOUNTS.dave.address, value: BigInt(word) }
        : { to: contract, data: numberToHex(word, { size: 32 }) }),
  }
  const maxFeePerGas = 2n * GWEI + BigInt(tip) * GWEI
  const fees =
    type === 'eip1559'
      ? { maxFeePerGas, maxPriorityFeePerGas: (BigInt(tip) * GWEI) / 2n }
      : { gasPrice: maxFeePerGas }
  return createSigner(privateKey).signTransaction({ type, ...base, ...fees } as never)
}

/** Reads everything that both nodes show. */
async function look(sent: readonly { readonly hash: Hex }[], contracts: Hex[], ask: Ask): Promise<void> {
  for (const method of ['eth_blockNumber', 'txpool_content', 'eth_gasPrice', 'eth_chainId']) await ask(method)
  for (const tag of ['latest', 'pending', '0x1']) await ask('eth_getBlockByNumber', [tag, false])
  for (const name of SENDERS) {
    const { address } = ACCOUNTS[name]
    for (const tag of ['latest', 'pending']) await ask('eth_getTransactionCount', [address, tag])
    await ask('eth_getBalance', [address, 'latest'])
  }
  for (const { hash } of sent) {
    await ask('eth_getTransactionByHash', [hash])
    const receipt = (await ask('eth_getTransactionReceipt', [hash])) as { contractAddress: Hex | null } | null
    const made = receipt?.contractAddress ?? null
    if (made !== null && !contracts.includes(made)) contracts.push(made)
  }
  for (const contract of contracts) {
    await ask('eth_getCode', [contract, 'latest'])
    await ask('eth_getStorageAt', [contract, '0x0', 'latest'])
    await ask('eth_call', [{ to: contract, data: numberToHex(2, { size: 32 }) }, 'latest'])
  }
}
