/** Describes which rooms each room may import: `mayImport` of `.dependency-cruiser.mjs`. */
export type RoomRules = Readonly<Record<string, readonly string[]>>

/** Returns a Mermaid diagram with an arrow from each room to the rooms that it imports. */
export function mapOfRooms(rules: RoomRules): string {
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
