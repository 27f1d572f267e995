import { formatUnits, zeroAddress } from 'viem'
import { ACCOUNTS } from '../../fixtures/accounts.ts'
import type { EntryOf } from '../format/schema.ts'

interface Token {
  readonly symbol: string
  readonly decimals: number
}

/** Names the addresses and tokens of a world. */
export class Actors {
  readonly weth: string
  readonly #names = new Map<string, string>()
  readonly #tokens = new Map<string, Token>()

  constructor(world: EntryOf<'genesis'>['world']) {
    this.weth = world.weth
    for (const { address, symbol, decimals } of [...world.registry, ...world.otherTokens]) {
      this.#tokens.set(address.toLowerCase(), { symbol, decimals })
      this.#names.set(address.toLowerCase(), symbol)
    }
    for (const { id, approval } of world.venues) this.#name(approval.spender, `spender of ${id}`)
    for (const { name, address } of Object.values(ACCOUNTS)) this.#name(address, name)
    this.#name(world.permit2, 'Permit2')
    this.#name(world.feeWallet, 'fee wallet')
    this.#tokens.set(zeroAddress, { symbol: 'ETH', decimals: 18 })
  }

  #name(address: string, name: string): void {
    this.#names.set(address.toLowerCase(), name)
  }

  /** Returns the name of an account; for an unknown one, its shortened address. */
  account(address: string): string {
    return this.#names.get(address.toLowerCase()) ?? `${address.slice(0, 8)}…${address.slice(-4)}`
  }

  /** Returns whether the account has a name. */
  isKnown(address: string): boolean {
    return this.#names.has(address.toLowerCase())
  }

  /** Returns a token's symbol; for an unknown one, its name as an account. */
  symbol(address: string): string {
    return this.#tokens.get(address.toLowerCase())?.symbol ?? this.account(address)
  }

  /** Formats base units in human units; unchanged if the token's decimals are unknown. */
  amount(token: string, raw: bigint): string {
    const known = this.#tokens.get(token.toLowerCase())
    return known === undefined ? String(raw) : formatUnits(raw, known.decimals)
  }
}
