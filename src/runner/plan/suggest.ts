import { nearest } from '../../spec/nearest.ts'

/** Returns a sentence that suggests the nearest candidate; empty if none is near. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const candidate = nearest(word, candidates)
  return candidate === null ? '' : `Did you mean ${candidate}? `
}

/**
 * Suggests a glob of ids: each part between dots that has no `*` and occurs in no id becomes the nearest that does.
 *
 * @param selects returns whether a glob selects anything; one that does not is not suggested.
 */
export function didYouMeanGlob(
  glob: string,
  ids: readonly string[],
  selects: (glob: string) => boolean,
): string {
  const parts = [...new Set(ids.flatMap((id) => id.split('.')))]
  const corrected = glob
    .split('.')
    .map((part) => (part.includes('*') || parts.includes(part) ? part : (nearest(part, parts) ?? part)))
    .join('.')
  return corrected !== glob && selects(corrected) ? `Did you mean '${corrected}'? ` : ''
}
