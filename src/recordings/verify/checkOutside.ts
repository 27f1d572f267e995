import { type Hex, keccak256 } from 'viem'
import { hashOfBlock } from '../../evm/blockHash.ts'
import { resolveBlob } from '../format/blobs.ts'
import { type DraftOf, type Drafts, only, positioned } from '../format/drafts.ts'
import type { Recording } from '../format/schema.ts'
import { ABSENCES, type Absence } from '../format/schemaOutside.ts'
import { check } from './errors.ts'
import type { RecordedChain } from './recordedChain.ts'

type Control = DraftOf<'control'>

const ZERO_HASH = `0x${'0'.repeat(64)}`
/** Nothing of it shows outside of a process. */
const NEVER_SEEN: readonly Absence[] = ['store', 'timers', 'ids', 'causes', 'credits-before']
const ENDINGS = {
  pass: 'as-expected',
  observed: 'as-expected',
  'not-applicable': 'as-expected',
  fail: 'unexpected',
  inconclusive: 'not-run',
  skipped: 'not-run',
} as const

/** Returns whether a service outside of the recording process made it. */
export function isOutside(entries: Drafts): boolean {
  return only(entries, 'manifest')[1].outside !== undefined
}

/**
 * Checks that a recording has exactly the parts that it says to have: what it calls absent is nowhere in it, and what only a
 * service in the same process shows is in no recording from outside; and the other way round.
 *
 * @throws {ContradictionError}
 */
export function checkPresence(entries: Drafts): void {
  const [manifestAt, { outside }] = only(entries, 'manifest')
  const [genesisAt, genesis] = only(entries, 'genesis')
  const [outcomeAt, outcome] = only(entries, 'outcome')
  if (outside === undefined) {
    check(genesis.start === undefined, genesisAt, 'start', 'a simulation begins on the deployment')
    check(outcome.case === undefined, outcomeAt, 'case', 'a simulation has none')
    for (const [at] of positioned(entries, 'control')) check(false, at, 'kind', 'a simulation has steps')
    for (const [at, { during }] of positioned(entries, 'rpc'))
      check(during === undefined, at, 'during', 'a simulation knows the order')
    return
  }
  const absent = new Set<string>(outside.absent)
  const inOrder = ABSENCES.filter((each) => absent.has(each))
  const isListed = inOrder.join() === outside.absent.join() && NEVER_SEEN.every((each) => absent.has(each))
  const field = 'outside.absent'
  check(isListed, manifestAt, field, `${outside.absent.join(', ')} is not what such a recording lacks`)
  const isWithoutChain = absent.has('chain')
  check(
    (outside.profile === 'http') === isWithoutChain,
    manifestAt,
    field,
    `${outside.profile} and the chain`,
  )
  const status = outcome.case?.status
  const isEnded = status !== undefined && ENDINGS[status] === outcome.ended && outcome.path === null
  check(isEnded, outcomeAt, 'case', `${status ?? 'no case'}, and the run ended ${outcome.ended}`)
  check(isWithoutChain === (genesis.genesisHash === ZERO_HASH), genesisAt, 'genesisHash', 'of no chain')
  for (const [at, entry] of entries.entries()) checkAllowed(at, entry, absent)
}

/** @throws {ContradictionError} the entry is of a part that is said to be absent. */
function checkAllowed(at: number, entry: Drafts[number], absent: ReadonlySet<string>): void {
  const checkNot = (part: Absence, isThere: boolean) =>
    check(!(isThere && absent.has(part)), at, 'kind', `${entry.kind} is there, and ${part} is called absent`)
  checkNot('store', entry.kind === 'store-fault')
  checkNot('timers', entry.kind === 'timer')
  checkNot('ids', entry.kind === 'http' && entry.drew.length > 0)
  checkNot('causes', entry.kind === 'rpc' && entry.http !== null)
  checkNot('causes', entry.kind === 'http' && entry.within !== null)
  checkNot('round-trips', entry.kind === 'rpc')
  checkNot('chain', ['rpc', 'control', 'block', 'report', 'step'].includes(entry.kind))
}

/**
 * Checks that the blocks of a recording from outside are those that the run made, where it says to have made them: each follows
 * from the control after it, and holds no transaction that nobody sent.
 *
 * @throws {ContradictionError}
 */
export function checkControl(entries: Drafts, blobs: Recording['blobs'], chain: RecordedChain): void {
  checkStart(entries)
  const [, { base, start }] = only(entries, 'genesis')
  let head = { number: start?.number ?? base.number, hash: start?.blockHash ?? base.hash }
  let fresh: DraftOf<'block'>[] = []
  let isBegun = false
  const sent = new Set<string>()
  const isOpen = sendsOtherwise(entries)
  for (const [at, entry] of entries.entries()) {
    if (entry.kind === 'block') {
      // The case begins on the first block, which was mined before it.
      if (isBegun) fresh.push(entry)
      else head = { number: entry.number, hash: entry.blockHash }
      isBegun = true
      const strange = entry.transactions.find(({ hash }) => !sent.has(hash))
      check(isOpen || strange === undefined, at, 'transactions', `nobody sent ${strange?.hash}`)
      continue
    }
    if (entry.kind !== 'control') continue
    const params = resolveBlob(blobs, entry.params)
    for (const raw of rawsIn(entry.method, params)) sent.add(keccak256(raw))
    checkDone(at, entry, params, head, fresh, chain)
    head = entry.head
    fresh = []
  }
  check(fresh.length === 0, entries.length, 'kind', 'blocks are recorded that no control made')
}

/** The first block is proven by its header; it is empty, so that the header is all of it. */
function checkStart(entries: Drafts): void {
  const [at, { start }] = only(entries, 'genesis')
  if (start === undefined) return
  const { number, blockHash, header } = start
  const isEmpty = header.transactionsRoot === undefined && header.receiptsRoot === undefined
  check(isEmpty && header.gasUsed === 0, at, 'start.header', 'the block is not empty')
  const hash = hashOfBlock({ number, header, transactions: [] })
  check(
    hash === blockHash,
    at,
    'start.blockHash',
    `${blockHash} is recorded, ${hash} follows from the header`,
  )
}

/** Returns whether transactions may come that no control names: the service sends some, or the node signs. */
function sendsOtherwise(entries: Drafts): boolean {
  return entries.some(
    (entry) =>
      (entry.kind === 'rpc' && entry.calls.some(({ method }) => method.startsWith('eth_send'))) ||
      (entry.kind === 'control' && entry.method === 'eth_sendTransaction') ||
      (entry.kind === 'control' && entry.method === 'batch'),
  )
}

function rawsIn(method: string, params: unknown): readonly Hex[] {
  const [first] = Array.isArray(params) ? (params as readonly unknown[]) : []
  return method === 'eth_sendRawTransaction' &&
    typeof first === 'string' &&
    /^0x(?:[0-9a-f]{2})+$/i.test(first)
    ? [first as Hex]
    : []
}

function checkDone(
  at: number,
  { method, error, head }: Control,
  params: unknown,
  before: { readonly number: number; readonly hash: string },
  made: readonly DraftOf<'block'>[],
  chain: RecordedChain,
): void {
  const block = chain.block(head.hash)
  check(block !== null, at, 'head.hash', `block ${head.hash} is not recorded`)
  check(block.number === BigInt(head.number), at, 'head.number', `${head.number} is not its number`)
  check(block.timestampS === BigInt(head.timestampS), at, 'head.timestampS', 'is not its time')
  const last = made.at(-1)
  check(last === undefined || last.blockHash === head.hash, at, 'head.hash', 'is not the newest block')
  const [first] = Array.isArray(params) ? (params as readonly unknown[]) : []
  if (error !== null) return
  if (method === 'evm_mine_detailed') {
    const { blocks = 1 } = (first ?? {}) as { readonly blocks?: unknown }
    check(made.length === blocks, at, 'params', `${made.length} new blocks, and ${blocks} were mined`)
  } else if (method === 'anvil_rollback') {
    const depth = before.number - head.number
    const isThere = chain.blockAt(before.hash, block.number)?.hash === head.hash
    check(depth === first && isThere, at, 'head.hash', `${depth} blocks are gone, not ${first}`)
  } else if (/^(?:line\.|eth_send|anvil_(?:set|drop|remove))/.test(method)) {
    check(head.hash === before.hash && made.length === 0, at, 'head.hash', `${method} makes no block`)
  }
}
