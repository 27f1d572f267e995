/** The public surface of the package: one line for each promise, by a key that says what it is. */
export type Surface = Readonly<Record<string, string>>

/** Describes a change that breaks whoever relies on the last release. */
export interface Breach {
  readonly key: string
  readonly problem: string
}

/**
 * Ends the text of a field or member that may be absent. That of what others write (a file that Plumbline reads, a value that
 * is passed to it) begins with `in: `.
 */
export const OPTIONAL = '?'
export const INPUT = 'in: '

/** Returns what of a surface broke since the last release. What was added breaks nobody, but for a field that others must now write. */
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

/** Returns whether a field that others write became optional, or one that they read is now always there. */
function isHarmless(before: string, after: string): boolean {
  return before.startsWith(INPUT) ? after === `${before}${OPTIONAL}` : before === `${after}${OPTIONAL}`
}

/** Returns the key of what holds a field: a field of something new demands nothing of what was written before. */
const parentOf = (key: string): string => key.slice(0, key.lastIndexOf('.'))

/** Returns whether the surface of a version is promised: not before 1.0.0, whose pre-releases are before it. */
export const promises = (version: string): boolean => !version.startsWith('0.') && !version.includes('-')

/** Returns whether a version may break what an earlier one promised. */
export function mayBreak(released: string, now: string): boolean {
  const majorOf = (version: string) => Number(version.split('.')[0])
  return majorOf(now) > majorOf(released)
}
