import { blobReference } from '../format/blobs.ts'
import { canonicalJson, sha256 } from '../format/canonical.ts'
import type { Recording, SealedEntry } from '../format/schema.ts'
import { brokenSeal } from '../format/seal.ts'
import { REDACTED_KEY } from '../record/recorder.ts'
import { ContradictionError, check } from './errors.ts'

/** The order of the entries. */
const CHAPTERS: readonly (readonly SealedEntry['kind'][])[] = [
  ['manifest'],
  ['genesis'],
  ['script'],
  ['step', 'http', 'rpc', 'store-fault', 'timer', 'block', 'control'],
  ['report'],
  ['client'],
  ['outcome'],
  ['verdicts'],
  ['provenance'],
]
const ONCE: readonly SealedEntry['kind'][] = ['manifest', 'genesis', 'script', 'outcome', 'provenance']

/**
 * Checks that the file is complete, and that nothing was changed, moved, added or removed since it was sealed.
 *
 * @throws {ContradictionError} the first violation.
 */
export function checkLayout(recording: Recording): void {
  const { schema, entries, blobs, trailer } = recording
  const broken = brokenSeal(schema, entries)
  if (broken !== null) {
    throw new ContradictionError(
      broken.entry,
      broken.field,
      'does not fit the seal: changed since it was recorded',
    )
  }
  check(
    trailer.entries === entries.length && trailer.root === entries.at(-1)?.hash,
    entries.length,
    'trailer',
    `says ${trailer.entries} entries, ending in another hash`,
  )
  checkOrder(entries)
  checkReferences(entries)
  checkBlobs(entries, blobs)
}

function checkOrder(entries: readonly SealedEntry[]): void {
  let chapter = 0
  for (const [at, { n, kind }] of entries.entries()) {
    check(n === at, at, 'n', `${n} is written at position ${at}`)
    while (chapter < CHAPTERS.length && !CHAPTERS[chapter]?.includes(kind)) chapter += 1
    check(chapter < CHAPTERS.length, at, 'kind', `${kind} is in the wrong place`)
  }
  for (const kind of ONCE) {
    const count = entries.filter((entry) => entry.kind === kind).length
    check(count === 1, entries.length, 'kind', `${count} entries of kind ${kind}, not 1`)
  }
}

/** Checks that requests are numbered in order and hold no key, and that entries come after the requests that they name. */
function checkReferences(entries: readonly SealedEntry[]): void {
  let made = 0
  const checkMade = (at: number, field: string, id: number | null): void =>
    check(id === null || id < made, at, field, `no request ${id} is recorded before it`)
  for (const [at, entry] of entries.entries()) {
    if (entry.kind === 'http') {
      const { authorization = REDACTED_KEY } = entry.headers
      check(authorization === REDACTED_KEY, at, 'headers.authorization', 'holds a key')
      check(entry.id === made, at, 'id', `request ${entry.id} is the ${made}th`)
      checkMade(at, 'within', entry.within)
      made += 1
    } else if ('http' in entry) checkMade(at, 'http', entry.http)
  }
}

/** Returns the values of an entry that may be in the table of blobs. */
function valuesOf(entry: SealedEntry): readonly unknown[] {
  if (entry.kind === 'control') return [entry.params]
  if (entry.kind === 'provenance') return [entry.catalogue]
  return entry.kind === 'rpc' ? [...entry.calls.map(({ params }) => params), ...(entry.replies ?? [])] : []
}

function checkBlobs(entries: readonly SealedEntry[], blobs: Recording['blobs']): void {
  const used = new Set<string>()
  for (const [at, entry] of entries.entries()) {
    const values = valuesOf(entry)
    for (const key of values.map(blobReference)) {
      if (key === null) continue
      check(Object.hasOwn(blobs, key), at, 'blobs', `${key} is not in the file`)
      used.add(key)
    }
  }
  for (const [key, value] of Object.entries(blobs)) {
    const place = `blobs.${key}`
    const isIntact = sha256(canonicalJson(value)) === key
    check(isIntact, entries.length, place, 'is not what its digest says: changed since it was recorded')
    check(used.has(key), entries.length, place, 'no entry refers to it')
  }
}
