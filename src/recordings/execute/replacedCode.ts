import type { BaseWorld } from '../../evm/baseWorld.ts'
import type { EvmState } from '../../evm/state.ts'

/**
 * Returns whether a run has replaced the code of a contract of the world, as some cases do: from then on, swaps no longer behave
 * as the service promised.
 */
export function hasReplacedCode({ accounts }: EvmState, { state }: Pick<BaseWorld, 'state'>): boolean {
  for (const [address, { code }] of state.accounts) if (accounts.get(address)?.code !== code) return true
  return false
}
