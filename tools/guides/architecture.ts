const BEGIN = '<!-- rooms: written by `npm run guides` -->'
const END = '<!-- /rooms -->'

/** Describes which rooms each room may import: `mayImport` of `.dependency-cruiser.mjs`. */
export type RoomRules = Readonly<Record<string, readonly string[]>>

/**
 * Returns the page with the map of the rooms between its two markers.
 *
 * @throws {RangeError} the page lacks a marker.
 */
export function architectureWith(rules: RoomRules, page: string): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)]
  if (begin < 0 || end < begin)
    throw new RangeError(`docs/architecture.md needs the markers ${BEGIN} and ${END}`)
  return `${page.slice(0, begin)}${BEGIN}\n\n${mapOf(rules)}\n\n${page.slice(end)}`
}

/** Returns a Mermaid diagram with an arrow from each room to the rooms that it imports. */
function mapOf(rules: RoomRules): string {
  const arrows = Object.keys(rules).flatMap((room) =>
    directly(rules, room).map((below) => `  ${idOf(room)} --> ${idOf(below)}`),
  )
  const rooms = Object.keys(rules).map((room) => `  ${idOf(room)}["${room}"]`)
  return ['```mermaid', 'flowchart BT', ...rooms, ...arrows, '```'].join('\n')
}

/** The rooms that a room may import and does not reach through another one: redundant arrows are left out. */
function directly(rules: RoomRules, room: string): readonly string[] {
  const allowed = rules[room] ?? []
  return allowed.filter((below) => !allowed.some((between) => reaches(rules, between, below)))
}

function reaches(rules: RoomRules, from: string, to: string): boolean {
  return (rules[from] ?? []).some((next) => next === to || reaches(rules, next, to))
}

function idOf(room: string): string {
  return room.replace(/^src\//, '').replaceAll(/[-/]/g, '_')
}
