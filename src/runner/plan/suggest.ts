import { nearest } from '../../spec/nearest.ts'

/** Returns the sentence that goes with it; empty when nothing is near. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const candidate = nearest(word, candidates)
  return candidate === null ? '' : `Did you mean ${candidate}? `
}

/**
 * Returns the same for a glob of ids: each part between dots that holds no `*` and is in no id becomes the nearest that is.
 *
 * @param selects whether a glob selects anything: one that does not is no suggestion.
 */
export function didYouMeanGlob(
  glob: string,
  ids: readonly string[],
  selects: (glob: string) => boolean,
): string {
  const parts = [...new Set(ids.flatMap((id) => id.split('.')))]
  const mended = glob
    .split('.')
    .map((part) => (part.includes('*') || parts.includes(part) ? part : (nearest(part, parts) ?? part)))
    .join('.')
  return mended !== glob && selects(mended) ? `Did you mean '${mended}'? ` : ''
}
