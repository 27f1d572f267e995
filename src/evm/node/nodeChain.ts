import type { Hex } from 'viem'
import type { EvmState } from '../state.ts'
import type { NodeBlock, Place } from './described.ts'

/** The blocks of a node, with the places of their transactions. Immutable, as branches and snapshots share it. */
export class NodeChain {
  /** In order, from the genesis block. */
  readonly #blocks: readonly NodeBlock[]
  readonly #places: ReadonlyMap<Hex, Place>

  constructor(blocks: readonly NodeBlock[], places: ReadonlyMap<Hex, Place> = placed(blocks)) {
    this.#blocks = blocks
    this.#places = places
  }

  get head(): NodeBlock {
    return this.#blocks.at(-1) as NodeBlock
  }

  block(number: number): NodeBlock | null {
    const index = this.#indexOf(number)
    return index === null ? null : (this.#blocks[index] ?? null)
  }

  blockOf(hash: string | undefined): NodeBlock | null {
    return this.#blocks.find((block) => block.hash === hash) ?? null
  }

  placeOf(hash: Hex): Place | null {
    return this.#places.get(hash) ?? null
  }

  /** Returns the chain with one more block. */
  followedBy(block: NodeBlock): NodeChain {
    const isEmpty = block.transactions.length === 0
    const places = isEmpty ? this.#places : new Map([...this.#places, ...placed([block])])
    return new NodeChain([...this.#blocks, block], places)
  }

  /** Returns the chain with another state after its newest block. */
  withState(state: EvmState): NodeChain {
    return new NodeChain([...this.#blocks.slice(0, -1), { ...this.head, state }], this.#places)
  }

  /** Returns the chain up to the block of this number; null: there is no such block. */
  upTo(number: number): NodeChain | null {
    const index = this.#indexOf(number)
    return index === null ? null : new NodeChain(this.#blocks.slice(0, index + 1))
  }

  /** Returns the index of a block. Blocks after a gap in the numbers are found by their distance from the head. */
  #indexOf(number: number): number | null {
    const fromHead = this.#blocks.length - 1 - (this.head.context.number - number)
    return [fromHead, number].find((index) => this.#blocks[index]?.context.number === number) ?? null
  }
}

function placed(blocks: readonly NodeBlock[]): ReadonlyMap<Hex, Place> {
  const places = new Map<Hex, Place>()
  for (const block of blocks) {
    let logsBefore = 0
    for (const [index, { signed, executed }] of block.transactions.entries()) {
      places.set(signed.hash, { block, index, logsBefore })
      logsBefore += executed.logs.length
    }
  }
  return places
}
