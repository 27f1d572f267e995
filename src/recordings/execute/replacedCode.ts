import type { BaseWorld } from '../../evm/baseWorld.ts'
import type { EvmState } from '../../evm/state.ts'

/**
 * Returns whether a run has given a contract of the world other code, as some cases do: what a service said before it, and what users
 * do after it, is no longer the service's.
 */
export function hasReplacedCode({ accounts }: EvmState, { state }: Pick<BaseWorld, 'state'>): boolean {
  for (const [address, { code }] of state.accounts) if (accounts.get(address)?.code !== code) return true
  return false
}
