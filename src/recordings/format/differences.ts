/** Describes what the recorded node says, and this EVM does not. */
export interface Difference {
  /** The position of the entry in the file. */
  readonly entry: number
  readonly field: string
  readonly recorded: unknown
  readonly executed: unknown
}

const LONGEST_SHOWN = 120

/** Where two values of JSON part, and the text of each there. */
export interface Parting {
  /** Dots lead into objects and arrays: `replies.0.result.status`. */
  readonly field: string
  readonly recorded: string
  readonly replayed: string
}

/** So much of long texts is kept around their first different character. */
const PARTING_CHARACTERS = 200

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

/** Returns the first place where two values of JSON differ, members in the order of the first one; null: they are equal. */
export function firstDifference(recorded: unknown, replayed: unknown, path = ''): Parting | null {
  const [first] = placesOfDifference(path, recorded, replayed)
  if (first === undefined) return null
  const [one, other] = [first.recorded, first.executed].map((each) => JSON.stringify(each) ?? 'nothing') as [
    string,
    string,
  ]
  return { field: first.field.replace(/^\./, ''), ...partingOf(one, other) }
}

function partingOf(one: string, other: string): Pick<Parting, 'recorded' | 'replayed'> {
  const longest = PARTING_CHARACTERS
  if (one.length <= longest && other.length <= longest) return { recorded: one, replayed: other }
  let at = 0
  while (at < one.length && one[at] === other[at]) at += 1
  const from = Math.max(0, at - longest / 4)
  const cut = (text: string) =>
    `${from > 0 ? '…' : ''}${text.slice(from, from + longest)}${text.length > from + longest ? '…' : ''}`
  return { recorded: cut(one), replayed: cut(other) }
}
