import { placesOfDifference } from '../execute/differences.ts'

/** Where two JSON values part, and what each has there. */
export interface Difference {
  /** Dots lead into objects and arrays: `replies.0.result.status`. */
  readonly path: string
  readonly left: string
  readonly right: string
}

const SHOWN_CHARACTERS = 200

/** Returns the first place where two JSON values differ, members in the order of the left one; null: they are equal. */
export function firstDifference(left: unknown, right: unknown, path = ''): Difference | null {
  const [first] = placesOfDifference(path, left, right)
  return first === undefined
    ? null
    : { path: first.field.replace(/^\./, ''), ...shownApart(first.recorded, first.executed) }
}

/** Both values as text; of long ones the part around their first different character. */
function shownApart(left: unknown, right: unknown): { readonly left: string; readonly right: string } {
  const [one, other] = [textOf(left), textOf(right)]
  if (one.length <= SHOWN_CHARACTERS && other.length <= SHOWN_CHARACTERS) return { left: one, right: other }
  let at = 0
  while (at < one.length && one[at] === other[at]) at += 1
  const from = Math.max(0, at - SHOWN_CHARACTERS / 4)
  const cut = (text: string) =>
    `${from > 0 ? '…' : ''}${text.slice(from, from + SHOWN_CHARACTERS)}${text.length > from + SHOWN_CHARACTERS ? '…' : ''}`
  return { left: cut(one), right: cut(other) }
}

function textOf(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value)
}
