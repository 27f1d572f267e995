/** Describes what the recorded node says, and this EVM does not. */
export interface Difference {
  /** The position of the entry in the file. */
  readonly entry: number
  readonly field: string
  readonly recorded: unknown
  readonly executed: unknown
}

const LONGEST_SHOWN = 120

/** Returns a value in one line. */
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')
  return text.length <= LONGEST_SHOWN ? text : `${text.slice(0, LONGEST_SHOWN)}…`
}

/**
 * Returns the places at which two values of JSON differ, in the order of the first.
 *
 * @param path leads every place.
 */
export function placesOfDifference(
  path: string,
  recorded: unknown,
  executed: unknown,
): readonly Omit<Difference, 'entry'>[] {
  if (recorded === executed) return []
  if (!isContainer(recorded) || !isContainer(executed) || Array.isArray(recorded) !== Array.isArray(executed))
    return [{ field: path, recorded, executed }]
  const names = new Set([...Object.keys(recorded), ...Object.keys(executed)])
  return [...names].flatMap((name) => placesOfDifference(`${path}.${name}`, recorded[name], executed[name]))
}

function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
