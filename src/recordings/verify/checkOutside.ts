import { zeroHash } from 'viem'
import { hashOfBlock } from '../../evm/blockHash.ts'
import type { LineFaultKind } from '../../simulation/faults/faults.ts'
import { concernsRequest } from '../../simulation/faults/line.ts'
import type { Manifest } from '../../spec/manifest.ts'
import { resolveBlob } from '../format/blobs.ts'
import { alongLine, type DraftOf, type Drafts, only } from '../format/drafts.ts'
import type { Recording } from '../format/schema.ts'
import { ABSENCES, type Absence, NEVER_SEEN } from '../format/schemaOutside.ts'
import { check } from './errors.ts'

const ENDINGS = {
  pass: 'as-expected',
  observed: 'as-expected',
  'not-applicable': 'as-expected',
  fail: 'unexpected',
  inconclusive: 'not-run',
  skipped: 'not-run',
} as const

/** Returns whether the recording is of a service outside the recording process. */
export function isOutside(entries: Drafts): boolean {
  return only(entries, 'manifest')[1].outside !== undefined
}

/** Returns whether a client was judged. Its requests may come at any time, even while its case mines a block. */
export function hasClient(entries: Drafts): boolean {
  return only(entries, 'manifest')[1].outside?.absent.includes('client') === true
}

/**
 * Checks that a recording has exactly the parts that it declares: none of those that it calls absent, and the parts of a
 * simulation or of a case from outside, but not both.
 *
 * @throws {ContradictionError} it has other parts.
 */
export function checkPresence(entries: Drafts): void {
  const [manifestAt, { outside }] = only(entries, 'manifest')
  const [genesisAt, genesis] = only(entries, 'genesis')
  const [outcomeAt, outcome] = only(entries, 'outcome')
  if (outside === undefined) {
    check(genesis.start === undefined, genesisAt, 'start', 'a simulation begins on the deployment')
    check(outcome.case === undefined, outcomeAt, 'case', 'a simulation has none')
    const clientAt = entries.findIndex(({ kind }) => kind === 'client')
    check(clientAt < 0, clientAt, 'kind', 'a simulation has no client')
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
  check(isWithoutChain === (genesis.genesisHash === zeroHash), genesisAt, 'genesisHash', 'of no chain')
  for (const [at, entry] of entries.entries()) checkAllowed(at, entry, absent)
}

/** @throws {ContradictionError} the entry belongs to a part that is declared absent. */
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

/** Checks the block that a recording begins on by its header alone, as it must be empty. @throws {ContradictionError} it is wrong. */
export function checkStart(entries: Drafts): void {
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

/**
 * Checks that exactly the round trips that an injected fault concerns have that fault.
 *
 * @param manifest the world; null: the recording has no chain.
 * @throws {ContradictionError} a round trip has the wrong fault, or lacks one.
 */
export function checkLineFaults(entries: Drafts, blobs: Recording['blobs'], manifest: Manifest | null): void {
  let [last, earlier]: [DraftOf<'control'> | null, number] = [null, 0]
  for (const [at, entry, injected] of alongLine(entries)) {
    if (injected !== last) [last, earlier] = [injected, 0]
    if (entry.kind !== 'rpc') continue
    const params = injected && resolveBlob(blobs, injected.params)
    const kind: unknown = Array.isArray(params) ? params[0] : null
    const calls = () => JSON.stringify(entry.calls.map((call) => resolveBlob(blobs, call.params)))
    const isStruck =
      manifest !== null &&
      typeof kind === 'string' &&
      concernsRequest(manifest, kind as LineFaultKind, calls, earlier)
    earlier += 1
    const right = isStruck ? kind : null
    const problem = `${entry.fault ?? 'none'} is recorded, and ${right ?? 'none'} follows from what is injected`
    check(entry.fault === right, at, 'fault', problem)
  }
}
