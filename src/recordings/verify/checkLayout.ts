import { blobReference } from '../format/blobs.ts'
import { canonicalJson, sha256 } from '../format/canonical.ts'
import type { Recording, SealedEntry } from '../format/schema.ts'
import { brokenSeal } from '../format/seal.ts'
import { REDACTED_KEY } from '../record/recorder.ts'
import { ContradictionError } from './errors.ts'

/** The order of a recording: what stands at its head, what happened, what was made of it. */
const CHAPTERS: readonly (readonly SealedEntry['kind'][])[] = [
  ['manifest'],
  ['genesis'],
  ['script'],
  ['step', 'http', 'rpc', 'store-fault', 'timer', 'block'],
  ['report'],
  ['outcome'],
  ['verdicts'],
  ['provenance'],
]
const ONCE: readonly SealedEntry['kind'][] = ['manifest', 'genesis', 'script', 'outcome', 'provenance']

/**
 * Checks that nothing was changed, moved, added or taken away since the file was sealed, and that it is whole.
 *
 * @throws {ContradictionError}
 */
export function checkLayout({ schema, entries, blobs, trailer }: Recording): void {
  const broken = brokenSeal(schema, entries)
  if (broken !== null) {
    throw new ContradictionError(
      broken.entry,
      broken.field,
      'does not fit the seal: changed since it was recorded',
    )
  }
  if (trailer.entries !== entries.length || trailer.root !== entries.at(-1)?.hash) {
    throw new ContradictionError(
      entries.length,
      'trailer',
      `says ${trailer.entries} entries, ending in another hash`,
    )
  }
  checkOrder(entries)
  checkReferences(entries)
  checkBlobs(entries, blobs)
}

function checkOrder(entries: readonly SealedEntry[]): void {
  let chapter = 0
  for (const [at, { n, kind }] of entries.entries()) {
    if (n !== at) throw new ContradictionError(at, 'n', `${n} is written at position ${at}`)
    while (chapter < CHAPTERS.length && !CHAPTERS[chapter]?.includes(kind)) chapter += 1
    if (chapter === CHAPTERS.length) throw new ContradictionError(at, 'kind', `${kind} is in the wrong place`)
  }
  for (const kind of ONCE) {
    const count = entries.filter((entry) => entry.kind === kind).length
    if (count !== 1)
      throw new ContradictionError(entries.length, 'kind', `${count} entries of kind ${kind}, not 1`)
  }
}

/** Requests are numbered in order and hold no key, and whoever names one comes after it. */
function checkReferences(entries: readonly SealedEntry[]): void {
  let asked = 0
  for (const [at, entry] of entries.entries()) {
    if (entry.kind === 'http') {
      const { authorization = REDACTED_KEY } = entry.headers
      if (authorization !== REDACTED_KEY)
        throw new ContradictionError(at, 'headers.authorization', 'holds a key')
      if (entry.id !== asked) throw new ContradictionError(at, 'id', `request ${entry.id} is the ${asked}th`)
      if (entry.within !== null && entry.within >= asked) throw unknownRequest(at, 'within', entry.within)
      asked += 1
    } else if ('http' in entry && entry.http !== null && entry.http >= asked) {
      throw unknownRequest(at, 'http', entry.http)
    }
  }
}

function unknownRequest(at: number, field: string, id: number): ContradictionError {
  return new ContradictionError(at, field, `no request ${id} stands before it`)
}

function checkBlobs(entries: readonly SealedEntry[], blobs: Recording['blobs']): void {
  const used = new Set<string>()
  for (const [at, entry] of entries.entries()) {
    if (entry.kind !== 'rpc') continue
    const values = [...entry.calls.map(({ params }) => params), ...(entry.replies ?? [])]
    for (const key of values.map(blobReference)) {
      if (key === null) continue
      if (!Object.hasOwn(blobs, key)) throw new ContradictionError(at, 'blobs', `${key} is not in the file`)
      used.add(key)
    }
  }
  for (const [key, value] of Object.entries(blobs)) {
    const place = `blobs.${key}`
    if (sha256(canonicalJson(value)) !== key) {
      throw new ContradictionError(
        entries.length,
        place,
        'is not what its digest says: changed since it was recorded',
      )
    }
    if (!used.has(key)) throw new ContradictionError(entries.length, place, 'no entry refers to it')
  }
}
