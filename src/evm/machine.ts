import { type Block, createBlock } from '@ethereumjs/block'
import { Common, Hardfork, Mainnet, type ParamsDict } from '@ethereumjs/common'
import { createLegacyTx, createTxFromRLP, type TypedTransaction } from '@ethereumjs/tx'
import { Address, bytesToHex } from '@ethereumjs/util'
import { createVM, type RunTxResult, runTx, type VM } from '@ethereumjs/vm'
import { type Hex, hexToBytes } from 'viem'
import { LIMITS } from '../spec/limits.ts'
import type { BlockContext, Executed, UnsignedCall } from './call.ts'
import { rememberJumpDestinations } from './jumpDestinations.ts'
import { keccakOfBytes } from './keccak.ts'
import { throughKnown } from './knownCalls.ts'
import type { EvmState } from './state.ts'

/** The gas that every transaction and call takes. */
export const LEAST_GAS = 21_000

/** EthereumJS's name for the only error that returns the unused gas of its frame. */
const REVERTED = 'revert'

/**
 * The rules of the chain, which never change. Otherwise each transaction and block would copy them and add the same parameters
 * again, which takes longer than the calls themselves.
 */
class Rules extends Common {
  readonly #added = new Set<ParamsDict>()
  readonly #activated = new Map<number, boolean>()

  override copy(): Common {
    return this
  }

  override updateParams(params: ParamsDict): void {
    if (this.#added.has(params)) return
    this.#added.add(params)
    super.updateParams(params)
  }

  override isActivatedEIP(eip: number): boolean {
    const known = this.#activated.get(eip)
    if (known !== undefined) return known
    const activated = super.isActivatedEIP(eip)
    this.#activated.set(eip, activated)
    return activated
  }
}

const common = new Rules({
  chain: { ...Mainnet, chainId: LIMITS.chainId },
  hardfork: Hardfork.Cancun,
  customCrypto: { keccak256: keccakOfBytes },
})
const machines = new WeakMap<EvmState, Promise<VM>>()
const blocks = new WeakMap<BlockContext, Block>()

/** Returns the machine of a state. It is created once, as its precompiles take a while. */
function machineOf(state: EvmState): Promise<VM> {
  const known = machines.get(state)
  if (known !== undefined) return known
  const made = makeMachine(state)
  machines.set(state, made)
  return made
}

async function makeMachine(state: EvmState): Promise<VM> {
  const vm = await createVM({ common, stateManager: state })
  // The rules never change, and a machine that listens to them would keep itself and its state in memory.
  common.events.removeAllListeners()
  await rememberJumpDestinations(vm)
  // The sender has been checked by then, and from here on contracts may read its code.
  vm.evm.events?.on('beforeMessage', () => {
    state.sender = null
  })
  const { meter } = state
  if (meter === null) return vm
  vm.evm.events?.on('afterMessage', ({ execResult: { exceptionError, gas = 0n } }) => {
    // An exceptional halt charges all gas of its frame, however little was executed.
    if (exceptionError !== undefined && exceptionError.error !== REVERTED) meter.giveBack(Number(gas))
  })
  return vm
}

function blockOf(context: BlockContext): Block {
  const known = blocks.get(context)
  if (known !== undefined) return known
  const { number, timestampS: timestamp, miner: coinbase, baseFeeWei, gasLimit, mixHash } = context
  const header = { number, timestamp, coinbase, baseFeePerGas: baseFeeWei, gasLimit, mixHash, difficulty: 0n }
  const block = createBlock({ header }, { common, skipConsensusFormatValidation: true })
  blocks.set(context, block)
  return block
}

/**
 * Executes a signed transaction, and changes the state.
 *
 * @param from its sender, as recovering it again would take a millisecond.
 * @throws {Error} the transaction is invalid in this state: its nonce, its funds, its fee.
 */
export async function executeTransaction(
  state: EvmState,
  context: BlockContext,
  raw: Hex,
  from: Hex,
): Promise<Executed> {
  const tx = createTxFromRLP(hexToBytes(raw), { common, freeze: false })
  state.meter?.spend(LEAST_GAS)
  const result = await runTx(await machineOf(state), { tx: sentBy(tx, from), block: blockOf(context) })
  state.meter?.spend(Number(result.totalGasSpent) - LEAST_GAS)
  state.footprint?.endTransaction()
  return outcomeOf(result)
}

/**
 * Executes a call as a free transaction, and changes the state. Neither nonce nor fee is checked.
 *
 * @param context must have a base fee of zero.
 */
export async function executeCall(
  state: EvmState,
  context: BlockContext,
  call: UnsignedCall,
): Promise<Executed> {
  state.meter?.spend(LEAST_GAS)
  const executed = await throughKnown(state, context, call, () => runCall(state, context, call))
  state.meter?.spend(executed.gasUsed - LEAST_GAS)
  return executed
}

async function runCall(
  state: EvmState,
  context: BlockContext,
  { from, to, data, valueRaw, gas }: UnsignedCall,
): Promise<Executed> {
  const nonce = state.accounts.get(from)?.nonce ?? 0n
  const fields = { nonce, gasPrice: 0n, gasLimit: gas, value: valueRaw, data }
  const tx = createLegacyTx({ ...fields, ...(to === null ? {} : { to }) }, { common, freeze: false })
  const vm = await machineOf(state)
  state.sender = from
  try {
    const block = blockOf(context)
    return outcomeOf(await runTx(vm, { tx: sentBy(tx, from), block, skipBlockGasLimitValidation: true }))
  } finally {
    state.sender = null
  }
}

function sentBy<Tx extends TypedTransaction>(tx: Tx, from: Hex): Tx {
  tx.getSenderAddress = () => new Address(hexToBytes(from))
  return tx
}

function outcomeOf({ execResult, totalGasSpent }: RunTxResult): Executed {
  const { exceptionError, returnValue, logs = [] } = execResult
  const succeeded = exceptionError === undefined
  return {
    succeeded,
    gasUsed: Number(totalGasSpent),
    returned: bytesToHex(returnValue),
    logs: succeeded
      ? logs.map(([address, topics, data]) => ({
          address: bytesToHex(address),
          topics: topics.map((topic) => bytesToHex(topic)),
          data: bytesToHex(data),
        }))
      : [],
  }
}
