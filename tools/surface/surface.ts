/** The public surface of the package: one line for each promise, by a descriptive key. */
export type Surface = Readonly<Record<string, string>>

/** A change that breaks users of the last release. */
export interface Breach {
  readonly key: string
  readonly problem: string
}

/**
 * Suffix of the text of an optional field or member. The text of a value that others write (in a file that Plumbline reads, or
 * as an argument) starts with `in: `.
 */
export const OPTIONAL = '?'
export const INPUT = 'in: '

/** Returns the breaking changes since the last release. An addition is not one, except for a field that others must now write. */
export function breaches(released: Surface, now: Surface): readonly Breach[] {
  const changed = Object.entries(released).flatMap(([key, before]) => {
    const after = now[key]
    if (after === undefined) return [{ key, problem: 'removed' }]
    if (after === before || isHarmless(before, after)) return []
    return [{ key, problem: `changed from ${before} to ${after}` }]
  })
  const demanded = Object.entries(now)
    .filter(([key, text]) => !(key in released) && text.startsWith(INPUT) && !text.endsWith(OPTIONAL))
    .filter(([key]) => parentOf(key) in released)
    .map(([key]) => ({ key, problem: 'added, and required' }))
  return [...changed, ...demanded]
}

/** Returns true if a field that others write became optional, or one that they read became mandatory. */
function isHarmless(before: string, after: string): boolean {
  return before.startsWith(INPUT) ? after === `${before}${OPTIONAL}` : before === `${after}${OPTIONAL}`
}

/** Returns the key of a field's parent: a required field of something new breaks nothing. */
const parentOf = (key: string): string => key.slice(0, key.lastIndexOf('.'))

/** Returns true if the surface of a version is promised: from 1.0.0 on, without its pre-releases. */
export const promises = (version: string): boolean => !version.startsWith('0.') && !version.includes('-')

/** Returns true if a version may break promises of an earlier one. */
export function mayBreak(released: string, now: string): boolean {
  const majorOf = (version: string) => Number(version.split('.')[0])
  return majorOf(now) > majorOf(released)
}
