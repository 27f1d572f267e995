/** Number of equal characters before the first difference. */
const LEAD = 20
/** Two lines of a wide terminal. */
const LINE_CHARACTERS = 160
const ELLIPSIS = '…'

/** Returns two texts unchanged or, if one is longer, an excerpt of each that contains the first difference. */
export function excerptsOf(
  one: string,
  other: string,
  mostCharacters = LINE_CHARACTERS,
): readonly [string, string] {
  if (Math.max(one.length, other.length) <= mostCharacters) return [one, other]
  let equal = 0
  while (equal < one.length && one[equal] === other[equal]) equal += 1
  const from = equal < mostCharacters / 2 ? 0 : equal - LEAD
  const excerpt = (text: string) => {
    const lead = from === 0 ? '' : ELLIPSIS
    const rest = text.slice(from)
    const room = mostCharacters - lead.length
    return `${lead}${rest.length <= room ? rest : `${rest.slice(0, room - 1)}${ELLIPSIS}`}`
  }
  return [excerpt(one), excerpt(other)]
}
