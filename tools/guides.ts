/**
 * Writes the parts of docs/ that are generated from the code: the map of the rooms and the forgeries in docs/internals, the
 * unproved points in docs/recordings.md, and the pages of docs/requirements, docs/conventions.md and docs/open-points.md. With
 * --check, fails if one of them is stale.
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { FORGERIES } from '../src/recordings/testing/forgeries/index.ts'
import { OUTSIDE_FORGERIES } from '../src/recordings/testing/forgeries/outside/index.ts'
import { openPoints } from '../src/spec/openPoints/index.ts'
import { allRequirements } from '../src/spec/requirements/index.ts'
import { SANDBOX_RULES } from '../src/spec/sandboxRules.ts'
import { TOLERANCES } from '../src/spec/tolerances.ts'
import { conventionsPage } from './guides/conventions.ts'
import {
  listOfForgeries,
  listOfOutsideForgeries,
  listOfOutsidePoints,
  listOfPoints,
} from './guides/forgeries.ts'
import { openPointsPage } from './guides/openPoints.ts'
import { requirementPages } from './guides/requirements.ts'

const { mayImport } = (await import('../.dependency-cruiser.mjs' as string)) as { mayImport: RoomRules }

const DOCS = new URL('../docs/', import.meta.url)

/** Returns a page of docs/ with its generated blocks, which are given by the names in their markers. */
function pageWith(name: string, blocks: Readonly<Record<string, string>>): readonly [string, string] {
  let page = readFileSync(new URL(name, DOCS), 'utf8')
  for (const [marker, block] of Object.entries(blocks)) {
    const [begin, end] = [`<!-- ${marker}: written by \`npm run guides\` -->`, `<!-- /${marker} -->`]
    const from = page.indexOf(begin)
    const to = page.indexOf(end, from)
    if (from < 0 || to < 0) throw new RangeError(`docs/${name} needs the markers ${begin} and ${end}`)
    page = `${page.slice(0, from)}${begin}\n\n${block}\n\n${page.slice(to)}`
  }
  return [name, page]
}

const pages: ReadonlyMap<string, string> = new Map([
  pageWith('internals/architecture.md', { rooms: mapOfRooms(mayImport) }),
  pageWith('recordings.md', {
    'what is not proved': listOfPoints(),
    'what is not proved of your service': listOfOutsidePoints(),
  }),
  pageWith('internals/forgeries.md', {
    forgeries: listOfForgeries(FORGERIES),
    'forgeries of your service': listOfOutsideForgeries(OUTSIDE_FORGERIES),
  }),
  [
    'conventions.md',
    conventionsPage({
      requirements: allRequirements(),
      rules: SANDBOX_RULES,
      tolerances: TOLERANCES,
    }),
  ],
  [
    'open-points.md',
    openPointsPage(openPoints(), JSON.parse(readFileSync(new URL('open-points.json', DOCS), 'utf8'))),
  ],
  ...requirementPages(allRequirements()),
])
const surplus = readdirSync(new URL('requirements/', DOCS))
  .map((name) => `requirements/${name}`)
  .filter((name) => !pages.has(name))

if (process.argv.includes('--check')) {
  const stale = [...pages].filter(([name, text]) => textOf(name) !== text).map(([name]) => name)
  for (const name of [...stale, ...surplus]) console.error(`docs/${name} is stale: run \`npm run guides\``)
  if (stale.length + surplus.length > 0) process.exitCode = 1
} else {
  for (const [name, text] of pages) writeFileSync(new URL(name, DOCS), text)
  for (const name of surplus) rmSync(new URL(name, DOCS))
}

function textOf(name: string): string | null {
  const file = new URL(name, DOCS)
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

/** The rooms that each room may import: `mayImport` of `.dependency-cruiser.mjs`. */
type RoomRules = Readonly<Record<string, readonly string[]>>

/** Returns a Mermaid diagram with an arrow from each room to the rooms that it imports. */
function mapOfRooms(rules: RoomRules): string {
  const arrows = Object.keys(rules).flatMap((room) =>
    directly(rules, room).map((below) => `  ${idOf(room)} --> ${idOf(below)}`),
  )
  const rooms = Object.keys(rules).map((room) => `  ${idOf(room)}["${room}"]`)
  return ['```mermaid', 'flowchart BT', ...rooms, ...arrows, '```'].join('\n')
}

/** Returns the rooms that a room may import and does not reach through another one; this leaves out redundant arrows. */
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
