import { createHash } from 'node:crypto'
import { KEPT } from '../../targets/evidence/kept.ts'

/** Leading characters that count of a text that was cut: the place of the cut depends on the volatile values before it. */
const OF_CUT_CHARACTERS = 1_000

/** Replaces values that differ between two equal runs: identifiers, hashes, addresses, times and other long numbers. */
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
 * Returns a fingerprint of a failure that is the same in every run: of the case, the broken requirement, and the difference.
 * Another failure of the same case has another fingerprint.
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
 * Returns a fingerprint of an inconclusive end that is the same in every run: of the case, the reason, the request at which it
 * ended, and the requirements that passed before. A case that ends earlier, or at another request, has another fingerprint.
 */
export function fingerprintOfInconclusive(end: {
  readonly caseId: string
  readonly expected: string
  readonly actual: string
  /** Method and path of the last request, without its query. */
  readonly endpoint: string
  /** Requirements that the case had passed. */
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
