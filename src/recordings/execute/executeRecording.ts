import { type BaseWorld, baseWorld } from '../../evm/baseWorld.ts'
import { GasMeter } from '../../evm/gasMeter.ts'
import type { Verdict } from '../../oracles/index.ts'
import { type Difference, placesOfDifference } from '../format/differences.ts'
import { type Drafts, only } from '../format/drafts.ts'
import type { Recording } from '../format/schema.ts'
import { type ComparedReplies, compareReplies } from '../play/compareReplies.ts'
import { type Played, playCommands } from '../play/playCommands.ts'
import { worldOf } from '../record/genesis.ts'
import { contractDigests } from './contractDigests.ts'
import { OtherWorldError } from './errors.ts'
import { executeAnswers } from './executeAnswers.ts'
import { EXECUTION_LIMIT_GAS, leastGasOf } from './executionLimit.ts'
import type { Ledger } from './ledger.ts'
import { judgeMinedSwaps } from './minedSwaps.ts'

/** The results of executing a recording on the second EVM. */
export interface Execution {
  /** In the order of the file. Empty: the second EVM agrees with the recorded node. */
  readonly differences: readonly Difference[]
  readonly blocks: number
  readonly transactions: number
  /** Number of replies of the node that were computed again and compared. */
  readonly replies: number
  /** Number of quotes requested from venues, for all quotes and builds. */
  readonly venueQuotes: number
  /** Verdicts on quotes and builds by these executions, by request. */
  readonly verdicts: ReadonlyMap<number, readonly Verdict[]>
  /** The balances of all accounts before and after each build. */
  readonly ledgers: readonly Ledger[]
  /** Request numbers of the quotes and builds that are not judged, because the run had replaced the code of contracts. */
  readonly withReplacedCode: readonly number[]
  /** Counted by `GasMeter`. */
  readonly gas: number
  /** Methods that this EVM does not support and a service from outside called; in a simulation such a call is a difference. */
  readonly unjudged: readonly string[]
}

export const NOTHING: Execution = {
  differences: [],
  blocks: 0,
  transactions: 0,
  replies: 0,
  withReplacedCode: [],
  gas: 0,
  unjudged: [],
  venueQuotes: 0,
  verdicts: new Map(),
  ledgers: [],
}

/** A recording whose commands were executed. */
export interface Playing {
  readonly recording: Pick<Recording, 'entries' | 'blobs'>
  readonly world: BaseWorld
  readonly meter: GasMeter
  readonly played: Played
}

/**
 * Executes the commands of a recording on a node in this process, after the deployment of its world.
 *
 * @returns null: it has no chain.
 * @throws {OtherWorldError} its contracts differ from those of this version, so it cannot be executed.
 * @throws {GasLimitError} the execution exceeds the limit.
 * @throws {ContradictionError} see `playCommands`.
 */
export async function playRecording(
  recording: Pick<Recording, 'entries' | 'blobs'>,
  limitGas: number = EXECUTION_LIMIT_GAS,
): Promise<Playing | null> {
  const { entries, blobs } = recording
  const [, { outside }] = only(entries, 'manifest')
  if (outside?.absent.includes('chain')) return null
  checkSameWorld(entries)
  const meter = new GasMeter(limitGas)
  meter.demand(leastGasOf(entries, blobs))
  const [, { base, start }] = only(entries, 'genesis')
  const world = await baseWorld(base.timestampS - base.number)
  const playOn = async (isRolledBack: boolean): Promise<Playing> => {
    return { recording, world, meter, played: await playCommands(recording, { world, meter, isRolledBack }) }
  }
  const first = await playOn(false)
  // Only the roots show whether the node was rolled back to a later start, so the playback with fewer differences is taken.
  if (start !== undefined && first.played.differences.length > 0) {
    const second = await playOn(true)
    if (second.played.differences.length < first.played.differences.length) return withGenesis(second)
  }
  return withGenesis(first)
}

/** Adds the differences of the recorded world from that of this version. */
function withGenesis(playing: Playing): Playing {
  const { played, recording, world } = playing
  const differences = [...compareGenesis(recording.entries, world), ...played.differences]
  return { ...playing, played: { ...played, differences } }
}

/** Compares the replies that follow from the blocks alone, without executing calls. Throws like `compareReplies`. */
export function compareWithBlocks({ recording, played }: Playing): Promise<ComparedReplies> {
  return compareReplies(recording, played, 'of-blocks')
}

/**
 * Executes the calls that the service made, and the swaps that its answers promise, on the states that the service may have
 * read.
 *
 * @param ofBlocks the result of `compareWithBlocks`.
 * @throws {GasLimitError} the execution exceeds the limit.
 * @throws {ContradictionError} see `compareReplies`.
 */
export async function executePlayed(
  { recording, world, meter, played }: Playing,
  ofBlocks: ComparedReplies,
): Promise<Execution> {
  const executed = await compareReplies(recording, played, 'executed')
  const answers = await executeAnswers(recording.entries, world, played)
  const swaps = await judgeMinedSwaps(recording.entries, world, played.made)
  const parts = [played, ofBlocks, executed, answers]
  const differences = parts.flatMap((part) => part.differences)
  const replaced = new Set([...answers.withReplacedCode, ...swaps.withReplacedCode])
  return {
    withReplacedCode: [...replaced].sort((one, other) => one - other),
    gas: meter.spent,
    unjudged: [...new Set([...ofBlocks.unjudged, ...executed.unjudged])].sort(),
    differences: differences.sort((one, other) => one.entry - other.entry),
    blocks: played.made.length,
    transactions: played.made.reduce((sum, { block }) => sum + block.transactions.length, 0),
    replies: ofBlocks.replies + executed.replies,
    venueQuotes: answers.venueQuotes,
    verdicts: joined(answers.verdicts, swaps.verdicts),
    ledgers: [...answers.ledgers, ...swaps.ledgers],
  }
}

function joined<Each>(
  one: ReadonlyMap<number, readonly Each[]>,
  other: ReadonlyMap<number, readonly Each[]>,
): ReadonlyMap<number, readonly Each[]> {
  const keys = new Set([...one.keys(), ...other.keys()])
  return new Map([...keys].map((key) => [key, [...(one.get(key) ?? []), ...(other.get(key) ?? [])]]))
}

/** @throws {OtherWorldError} a contract differs from that of this version. */
function checkSameWorld(entries: Drafts): void {
  const [, { contracts }] = only(entries, 'manifest')
  const here = contractDigests()
  const names = [...new Set([...Object.keys(contracts), ...Object.keys(here)])]
  const others = names.filter((name) => contracts[name] !== here[name])
  if (others.length > 0) throw new OtherWorldError(others)
}

function compareGenesis(entries: Drafts, world: BaseWorld): readonly Difference[] {
  const [at, { genesisHash, base, world: recorded, start }] = only(entries, 'genesis')
  const { number, hash, context, roots } = world
  const executed = {
    genesisHash: world.genesisHash,
    base: {
      number,
      hash,
      stateRoot:
        base.stateRoot !== roots.node && base.stateRoot === roots.ethereum ? roots.ethereum : roots.node,
      timestampS: context.timestampS,
    },
    world: worldOf(world.manifest),
  }
  const compared = { genesisHash, base, world: recorded }
  const root = start?.header.stateRoot
  const isOther = root !== undefined && root !== roots.node && root !== roots.ethereum
  const ofStart = isOther
    ? [{ entry: at, field: 'start.header.stateRoot', recorded: root, executed: roots.node }]
    : []
  const ofBase = (['genesisHash', 'base', 'world'] as const).flatMap((name) =>
    placesOfDifference(name, compared[name], executed[name]).map((difference) => ({
      entry: at,
      ...difference,
    })),
  )
  return [...ofBase, ...ofStart]
}
