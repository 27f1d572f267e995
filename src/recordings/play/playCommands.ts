import type { BaseWorld } from '../../evm/baseWorld.ts'
import type { GasMeter } from '../../evm/gasMeter.ts'
import type { NodeBlock } from '../../evm/node/described.ts'
import type { EvmNode } from '../../evm/node/evmNode.ts'
import { complete } from '../../evm/node/mineBlock.ts'
import type { EvmState } from '../../evm/state.ts'
import { resolveBlob } from '../format/blobs.ts'
import { type Difference, placesOfDifference, shown } from '../format/differences.ts'
import { type DraftOf, type Drafts, only } from '../format/drafts.ts'
import type { Recording } from '../format/schema.ts'
import { BlockReader } from '../record/blocks.ts'
import { ContradictionError, check } from '../verify/errors.ts'
import { carryOutCommand, commandsOf, strangerAmong } from './commands.ts'

type Block = readonly [at: number, block: DraftOf<'block'>]
type Head = DraftOf<'control'>['head']

/** The states of a recording's node between its commands. */
export interface Played {
  /** Returns the states from which the entry at a position may have been answered: that of its place, then those during it. */
  statesAt(at: number): readonly [EvmNode, ...EvmNode[]]
  /** In the order of the file. */
  readonly differences: readonly Difference[]
  /** Every mined block, of every branch, in the order of mining. */
  readonly made: readonly MadeBlock[]
}

/** A mined block and its parent. */
export interface MadeBlock {
  readonly block: NodeBlock
  readonly parent: NodeBlock
}

export interface PlayedOn {
  readonly world: BaseWorld
  readonly meter: GasMeter
  /** True if the node was rolled back to the start of the recording, and so forgot which contracts it had created. */
  readonly isRolledBack: boolean
}

/** The beneficiaries of the sandbox's branches, see `coinbaseOfBranch`. */
const BENEFICIARY = /^0x0{34}b0[0-9a-f]{4}$/

/** Methods with which a service may change its node. */
export const CHANGES_NODE = /^(?:eth_send|anvil_|evm_|hardhat_)/

/**
 * Executes the commands of a recording on a node in this process, one after another, and compares each result with the
 * recording: whether the node refuses the command, the blocks that it mines, and the newest block afterwards.
 *
 * @throws {ContradictionError} the harness sends no such command; a block's content does not fit its hash; no command mined a
 *   block.
 */
export async function playCommands(
  recording: Pick<Recording, 'entries' | 'blobs'>,
  on: PlayedOn,
): Promise<Played> {
  const playback = new Playback(recording, on)
  for (const at of recording.entries.keys()) await playback.play(at)
  return playback.end()
}

class Playback {
  readonly #entries: Drafts
  readonly #blobs: Recording['blobs']
  readonly #node: EvmNode
  readonly #differences: Difference[] = []
  readonly #states: EvmNode[]
  /** For each entry, the index of its state and the number of controls before it. */
  readonly #places: { readonly state: number; readonly controls: number }[] = []
  /** The index of the state after each control. */
  readonly #after: number[] = []
  /** Recorded blocks whose command has not come yet. */
  #recorded: Block[] = []
  readonly #reader: BlockReader
  #isBegun: boolean
  #at = 0
  readonly #made: MadeBlock[] = []

  constructor(
    { entries, blobs }: Pick<Recording, 'entries' | 'blobs'>,
    { world, meter, isRolledBack }: PlayedOn,
  ) {
    this.#entries = entries
    this.#blobs = blobs
    const [, { start }] = only(entries, 'genesis')
    const first = start === undefined ? {} : { start: blockOfStart(start, world, isRolledBack) }
    this.#node = world.node.fork({ meter, ...first })
    this.#states = [this.#node.fork()]
    this.#reader = new BlockReader(this.#node, this.#node.head.hash)
    this.#isBegun = only(entries, 'manifest')[1].outside === undefined
  }

  async play(at: number): Promise<void> {
    const entry = this.#entries[at] as Drafts[number]
    this.#at = at
    this.#places.push({ state: this.#states.length - 1, controls: this.#after.length })
    if (entry.kind === 'block') {
      this.#recorded.push([at, entry])
      if (!this.#isBegun) await this.#begin(entry)
    }
    if (entry.kind === 'http' || entry.kind === 'control') this.#isBegun = true
    if (entry.kind === 'rpc') await this.#changeBy(entry)
    if (entry.kind === 'control') await this.#carryOut(entry)
    if (entry.kind === 'step') this.#compareHead(entry.head)
  }

  end(): Played {
    const [lost] = this.#recorded
    check(lost === undefined, lost?.[0] ?? 0, 'kind', 'no command made this block')
    const statesAt = (at: number) => {
      const { state, controls } = this.#places[at] as { readonly state: number; readonly controls: number }
      const entry = this.#entries[at]
      const during = entry?.kind === 'rpc' || entry?.kind === 'http' ? (entry.during ?? 0) : 0
      const within = this.#after.slice(controls, controls + during)
      check(within.length === during, at, 'during', `${during} commands, and ${within.length} come after it`)
      return [state, ...within].map((each) => this.#states[each] as EvmNode) as [EvmNode, ...EvmNode[]]
    }
    return { statesAt, differences: this.#differences, made: this.#made }
  }

  /** Mines the block that a case begins on, which has no command in the recording. */
  async #begin({ header }: DraftOf<'block'>): Promise<void> {
    this.#isBegun = true
    const timestamp = `0x${header.timestampS.toString(16)}`
    // The beneficiary follows from the branches of earlier cases.
    if (BENEFICIARY.test(header.miner)) await this.#node.answer('anvil_setCoinbase', [header.miner])
    await this.#node.answer('evm_mine_detailed', [{ timestamp, blocks: 1 }])
    await this.#ended()
  }

  /** Executes the calls of the service that change the node, unless they were lost. */
  async #changeBy({ calls, replies }: DraftOf<'rpc'>): Promise<void> {
    const changing = replies === null ? [] : calls.filter(({ method }) => CHANGES_NODE.test(method))
    if (changing.length === 0) return
    for (const { method, params } of changing)
      await this.#node.answer(method, resolveBlob(this.#blobs, params) as readonly unknown[])
    await this.#ended()
  }

  async #carryOut(entry: DraftOf<'control'>): Promise<void> {
    const at = this.#at
    const commands = commandsOf(entry, this.#blobs)
    const stranger = strangerAmong(commands)
    check(stranger === null, at, 'method', `${stranger} is no command that the harness sends`)
    let isDone = true
    for (const command of commands)
      isDone = (await carryOutCommand(this.#node, command, this.#entries, at)) && isDone
    const refused = entry.error ?? 'done'
    if (isDone !== (entry.error === null)) this.#differ('error', refused, isDone ? 'done' : 'refused')
    await this.#ended()
    this.#after.push(this.#states.length - 1)
    this.#compareHead(entry.head)
  }

  /** Compares the blocks that were mined, and keeps the state. */
  async #ended(): Promise<void> {
    const made = await this.#reader.readUpTo(this.#node.head.hash)
    for (const { number } of made) this.#keep(number)
    if (made.length !== this.#recorded.length) this.#differ('new blocks', this.#recorded.length, made.length)
    for (const [index, [at, block]] of this.#recorded.entries()) {
      const executed = made[index]
      if (executed !== undefined) this.#compareBlock(at, block, executed)
    }
    this.#recorded = []
    this.#states.push(this.#node.fork())
  }

  /** Keeps a block of the canonical chain, and checks that its transactions destroyed exactly the base fee of their gas. */
  #keep(number: number): void {
    const [block, parent] = [this.#node.block(number), this.#node.block(number - 1)]
    if (block === null || parent === null) return
    this.#made.push({ block, parent })
    if (block.transactions.length === 0) return
    const burntWei = BigInt(block.gasUsed) * block.context.baseFeeWei
    const lostWei = coinsIn(parent.state) - coinsIn(block.state)
    if (lostWei !== burntWei) this.#differ(`${block.hash}, coins lost in wei`, `${burntWei}`, `${lostWei}`)
  }

  /** Compares a block. If its hash is right, any other difference is a contradiction. */
  #compareBlock(at: number, block: DraftOf<'block'>, executed: DraftOf<'block'>): void {
    const { number, blockHash, header, transactions } = block
    const found = placesOfDifference('', { kind: 'block', number, blockHash, header, transactions }, executed)
    const places = found.map(({ field, ...values }) => ({ field: field.slice(1), ...values }))
    const [first] = places
    if (first !== undefined && blockHash === executed.blockHash)
      throw new ContradictionError(
        at,
        first.field,
        `${shown(first.recorded)} is recorded, and the block of that hash has ${shown(first.executed)}`,
      )
    this.#differences.push(...places.map((place) => ({ entry: at, ...place })))
  }

  #compareHead({ number, hash, timestampS }: Head): void {
    const { head } = this.#node
    const executed = { number: head.context.number, hash: head.hash, timestampS: head.context.timestampS }
    const found = placesOfDifference('head', { number, hash, timestampS }, executed)
    this.#differences.push(...found.map((place) => ({ entry: this.#at, ...place })))
  }

  #differ(field: string, recorded: unknown, executed: unknown): void {
    this.#differences.push({ entry: this.#at, field, recorded, executed })
  }
}

/** Returns the total of all balances, in wei. */
function coinsIn({ accounts }: EvmState): bigint {
  let sum = 0n
  for (const { balance } of accounts.values()) sum += balance
  return sum
}

/** Returns the empty block that a recording begins on, with the state of the deployment. */
function blockOfStart(
  { number, blockHash, header }: NonNullable<DraftOf<'genesis'>['start']>,
  world: BaseWorld,
  isRolledBack: boolean,
): NodeBlock {
  const state = world.state.copy()
  if (isRolledBack) state.footprint?.rolledBack()
  const { parentHash, stateRoot, timestampS, miner, baseFeeWei, mixHash, gasUsed } = header
  const named = { parentHash, stateRoot } as Pick<NodeBlock, 'parentHash' | 'stateRoot'>
  const place = { number, timestampS, miner, mixHash } as Omit<
    NodeBlock['context'],
    'baseFeeWei' | 'gasLimit'
  >
  const context = { ...world.context, ...place, baseFeeWei: BigInt(baseFeeWei) }
  const block = complete({ ...named, context, gasUsed, transactions: [], state })
  return { ...block, hash: blockHash as NodeBlock['hash'] }
}
