import { encodeFunctionData, erc20Abi, type Hex, hexToBigInt, numberToHex, parseAbi, zeroAddress } from 'viem'
import { ACCOUNTS } from '../../src/fixtures/accounts.ts'
import { factsOf, type SwapParameters } from '../../src/oracles/index.ts'
import { FAULTS, type FaultKind } from '../../src/simulation/faults/faults.ts'
import {
  type FaultTransaction,
  type FeedFault,
  feedFault,
  sendAndMine,
  venueFault,
} from '../../src/simulation/faults/onChain.ts'
import { venueStatesOf } from '../../src/simulation/world/venueStates.ts'
import type { VenueId } from '../../src/spec/venues.ts'
import type { BuildResponse } from '../../src/spec/wire.ts'
import type { With } from '../../src/targets/environment/environment.ts'
import { noteDone, noteFault } from '../../src/targets/evidence/evidence.ts'
import type { VenueFault } from '../../src/venues-mock/faults.ts'
import { type MoverTransaction, moveTransactions, type PriceMove } from '../../src/venues-mock/movers.ts'
import { assume } from './expect.ts'

const MOVE_GAS = 5_000_000n
const multicall3 = parseAbi(['function getEthBalance(address) view returns (uint256)'])

/** Sends transactions and mines them in one block. */
async function operate(
  environment: With<'control'>,
  transactions: readonly FaultTransaction[],
): Promise<void> {
  const failed = await sendAndMine(environment.control, transactions)
  assume(failed === null, `a transaction of the ${transactions[0]?.by} failed: ${failed}`)
}

/** Injects a fault into a venue; `none` removes it. */
export function setFault(environment: With<'control'>, venue: VenueId, fault: VenueFault): Promise<void> {
  noteFault(venue, venueFaultText(fault))
  return operate(environment, [venueFault(environment.manifest, venue, fault)])
}

/** Describes a venue's fault and its size; null: no fault. */
function venueFaultText(fault: VenueFault): string | null {
  if (fault.kind === 'none') return null
  const { effect } = FAULTS.venue[fault.kind]
  if (fault.kind === 'move-on-swap') return `${effect} (${fault.lossBps} bps)`
  return fault.kind === 'nonsense-on-quote' ? `${effect} (${fault.answer})` : effect
}

/** Removes the last `depth` blocks and mines one more than that without their transactions. */
export async function reorganise({ control }: With<'control'>, depth: number): Promise<void> {
  noteDone(`the last ${depth} blocks were reorganised away`)
  await control.sandbox.chain.reorg({ depth, newBlocks: depth + 1 })
}

/** Injects a fault into the USD feed of a registry token. */
export function setFeedFault(
  environment: With<'control'>,
  symbol: string,
  kind: FaultKind<'feed', 'case'>,
): Promise<void> {
  return operateFeed(environment, symbol, { kind })
}

/** Sets the price of the USD feed of a registry token, with the feed's decimals. */
export function setFeedAnswer(environment: With<'control'>, symbol: string, answer: bigint): Promise<void> {
  return operateFeed(environment, symbol, { kind: 'answer', answer })
}

async function operateFeed(environment: With<'control'>, symbol: string, fault: FeedFault): Promise<void> {
  const feed = environment.manifest.registry.find((token) => token.symbol === symbol)?.feed
  assume(feed != null, `the manifest has no feed for ${symbol}`)
  const { effect } = FAULTS.feed[fault.kind]
  noteFault(`the price feed of ${symbol}`, fault.kind === 'answer' ? `${effect} (${fault.answer})` : effect)
  await operate(environment, [feedFault(feed, fault)])
}

/** Returns a function that turns a price move into transactions on the pools in their current state; nothing is sent. */
export async function readMoves(
  environment: With<'control'>,
): Promise<(move: PriceMove) => readonly MoverTransaction[]> {
  const states = await venueStatesOf(environment.control)
  return (move) => moveTransactions(environment.manifest, states, move)
}

/** Returns the move of a venue's price against a swap or in its favour. */
export function moveFor(
  { manifest }: Pick<With<'control'>, 'manifest'>,
  ask: SwapParameters,
  { venue, direction, shift }: Pick<PriceMove, 'venue' | 'direction' | 'shift'>,
): PriceMove {
  const { tokenIn, tokenOut } = factsOf(manifest, ask)
  return { venue, tokenIn: tokenIn.address, tokenOut: tokenOut.address, direction, shift }
}

/** Moves a price with mined transactions of the operator. */
export async function movePrice(
  environment: With<'control'>,
  ask: SwapParameters,
  move: Pick<PriceMove, 'venue' | 'direction' | 'shift'>,
): Promise<void> {
  const moves = await readMoves(environment)
  const transactions = moves(moveFor(environment, ask, move)).map((each) => ({
    ...each,
    by: 'operator' as const,
  }))
  noteDone(`the price of ${move.venue} was moved ${move.direction} the swap`)
  await operate(environment, transactions)
}

/**
 * Returns the growth of Alice's balance of `tokenOut`, in base units, if these moves and then the swap of `build` were in the
 * next block; null: the swap would revert. Gas is free in this block, so that it does not affect a native output.
 */
export async function deliveredAfter(
  environment: With<'control'>,
  moves: readonly MoverTransaction[],
  tokenOut: Hex,
  { tx }: Pick<BuildResponse, 'tx'>,
): Promise<bigint | null> {
  const { address } = ACCOUNTS.alice
  const balance =
    tokenOut === zeroAddress
      ? {
          to: environment.manifest.multicall3,
          data: encodeFunctionData({ abi: multicall3, functionName: 'getEthBalance', args: [address] }),
        }
      : {
          to: tokenOut,
          data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [address] }),
        }
  const gas = numberToHex(MOVE_GAS)
  const swap = { from: address, to: tx.to, data: tx.data, value: numberToHex(BigInt(tx.value)), gas }
  const calls = [...moves.map((move) => ({ ...move, gas })), balance, swap, balance]
  const [block] = await environment.control.sandbox.rpc.request<
    readonly { readonly calls: readonly { readonly status: Hex; readonly returnData: Hex }[] }[]
  >('eth_simulateV1', [{ blockStateCalls: [{ calls }], validation: false }, 'latest'])
  const results = block?.calls ?? []
  assume(
    results.length === calls.length && results.slice(0, moves.length).every(({ status }) => status === '0x1'),
    'the move of the price cannot be simulated',
  )
  const [before, outcome, after] = results.slice(moves.length)
  if (outcome?.status !== '0x1') return null
  return hexToBigInt(after?.returnData ?? '0x0') - hexToBigInt(before?.returnData ?? '0x0')
}
