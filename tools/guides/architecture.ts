const BEGIN = '<!-- rooms: written by `npm run guides` -->'
const END = '<!-- /rooms -->'

/** Which rooms each room may import, as `.dependency-cruiser.mjs` has it. */
export type RoomRules = Readonly<Record<string, readonly string[]>>

/**
 * The page with the map of the rooms between its two marks.
 *
 * @throws {RangeError} the page lacks one of the marks.
 */
export function architectureWith(rules: RoomRules, page: string): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)]
  if (begin < 0 || end < begin)
    throw new RangeError(`docs/architecture.md needs the marks ${BEGIN} and ${END}`)
  return `${page.slice(0, begin)}${BEGIN}\n\n${mapOf(rules)}\n\n${page.slice(end)}`
}

/** A Mermaid diagram in which an arrow leads from a room to one that it stands on. */
function mapOf(rules: RoomRules): string {
  const arrows = Object.keys(rules).flatMap((room) =>
    directly(rules, room).map((below) => `  ${idOf(room)} --> ${idOf(below)}`),
  )
  const rooms = Object.keys(rules).map((room) => `  ${idOf(room)}["${room}"]`)
  return ['```mermaid', 'flowchart BT', ...rooms, ...arrows, '```'].join('\n')
}

/** The rooms that a room may import and does not reach through another of them: arrows that say nothing new are left out. */
function directly(rules: RoomRules, room: string): readonly string[] {
  const allowed = rules[room] ?? []
  return allowed.filter((below) => !allowed.some((between) => reaches(rules, between, below)))
}

function reaches(rules: RoomRules, from: string, to: string): boolean {
  return (rules[from] ?? []).some((next) => next === to || reaches(rules, next, to))
}

function idOf(room: string): string {
  return room.replace(/^src\//, '').replaceAll('-', '_')
}
