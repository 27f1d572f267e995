import { createHash } from 'node:crypto'
import { KEPT } from '../../targets/evidence/kept.ts'

/** What a text that was cut ends with moves with the identifiers before it: so much of its beginning counts. */
const OF_CUT_CHARACTERS = 1_000

/** Replaces what differs between two equal runs: identifiers, hashes, addresses, times and other long numbers. */
export function withoutVolatile(text: string): string {
  return text
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<uuid>')
    .replaceAll(/0x[0-9a-f]{16,}/gi, '<hex>')
    .replaceAll(/\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}[\d:.]*Z?/g, '<time>')
    .replaceAll(/\b\d{9,}\b/g, '<number>')
    .replaceAll(/\b(?:127\.0\.0\.1|localhost):\d+/g, '<host>')
    .replaceAll(/\d+\.\d+/g, '<number>')
}

/**
 * Returns what identifies a failure from run to run: the case, the requirement that broke, and how it broke. Another failure of
 * the same case has another fingerprint.
 */
export function fingerprintOf(failure: {
  readonly caseId: string
  readonly requirement: string
  readonly expected: string
  readonly actual: string
}): string {
  const { caseId, requirement, expected, actual } = failure
  return digestOf([caseId, requirement, stable(expected), stable(actual)])
}

/**
 * Returns what identifies an inconclusive end from run to run: the case, why it could not go on, the request that it ended at, and
 * what had passed before. A case that ends earlier than before, or at another request, has another fingerprint.
 */
export function fingerprintOfInconclusive(end: {
  readonly caseId: string
  readonly expected: string
  readonly actual: string
  /** The method and the path of the last request; a query is no part of it. */
  readonly endpoint: string
  /** The requirements that it had judged as kept. */
  readonly passed: readonly string[]
}): string {
  const { caseId, expected, actual, endpoint, passed } = end
  const before = [...new Set(passed)].sort().join(' ')
  return digestOf([caseId, 'inconclusive', stable(expected), stable(actual), endpoint, before])
}

function digestOf(lines: readonly string[]): string {
  return createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16)
}

function stable(text: string): string {
  const without = withoutVolatile(text)
  return text.length > KEPT.textCharacters ? without.slice(0, OF_CUT_CHARACTERS) : without
}
