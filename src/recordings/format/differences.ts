/** A value of the recorded node that differs from that of the second EVM. */
export interface Difference {
  /** The position of the entry in the file. */
  readonly entry: number
  readonly field: string
  readonly recorded: unknown
  readonly executed: unknown
}

const LONGEST_SHOWN = 120

/** The first difference of two JSON values, with the text of both there. */
export interface Parting {
  /** A path with dots: `replies.0.result.status`. */
  readonly field: string
  readonly recorded: string
  readonly replayed: string
}

/** Length of the excerpt around the first difference of long texts. */
const PARTING_CHARACTERS = 200

/** Returns a value in one line, shortened. */
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')
  return text.length <= LONGEST_SHOWN ? text : `${text.slice(0, LONGEST_SHOWN)}…`
}

/**
 * Returns the places at which two JSON values differ, in the order of the first value.
 *
 * @param path the prefix of every place.
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

/** Returns the first difference of two JSON values, in the order of the first value; null: they are equal. */
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
