import { markdownTable } from 'markdown-table'
import { FINDERS, type Forgery } from '../../src/recordings/testing/forgeries/forgery.ts'
import type { OutsideForgery } from '../../src/recordings/testing/forgeries/outside/forgery.ts'
import { OUTSIDE_POINTS, type OutsidePointId } from '../../src/recordings/testing/forgeries/outside/points.ts'
import { POINTS, type PointId } from '../../src/recordings/testing/forgeries/points.ts'

const POINT_IDS = Object.keys(POINTS) as PointId[]
const numberOf = (id: PointId) => POINT_IDS.indexOf(id) + 1

/** Returns the numbered list of what a recording does not prove. */
export function listOfPoints(): string {
  return POINT_IDS.map((id) => `${numberOf(id)}. ${POINTS[id]}`).join('\n')
}

/** Returns the table of all forgeries, below a line with their numbers. */
export function tableOfForgeries(forgeries: readonly Forgery[]): string {
  const count = (isCounted: (forgery: Forgery) => boolean) => forgeries.filter(isCounted).length
  const believed = count(({ found }) => 'believed' in found)
  const always = count(({ found }) => 'believed' in found && found.always === true)
  const rows = forgeries.map(({ part, what, found }) => {
    if (!('believed' in found)) return [part, what, FINDERS[found[0]], found[1]]
    const point = `point ${numberOf(found.believed)}`
    const by = found.always ? `not proved: ${point}` : `${FINDERS.replay}, else not proved: ${point}`
    return [part, what, by, '']
  })
  const head = ['of what', 'what was changed', 'found by', 'words of what is said']
  return `${forgeries.length} kinds: ${forgeries.length - believed} are found in any case, ${believed - always} by running the recording again, and ${always} stand on the list above whatever is done.

${markdownTable([head, ...rows])}`
}

const OUTSIDE_IDS = Object.keys(OUTSIDE_POINTS) as OutsidePointId[]

/** Returns the numbered list of what a recording of a service from outside does not prove. */
export function listOfOutsidePoints(): string {
  return OUTSIDE_IDS.map((id, index) => `${index + 1}. ${OUTSIDE_POINTS[id]}`).join('\n')
}

/** Returns the table of all forgeries of a service from outside, below a line with their numbers. */
export function tableOfOutsideForgeries(forgeries: readonly OutsideForgery[]): string {
  const count = (ends: string) => forgeries.filter(({ end }) => end[0] === ends).length
  const rows = forgeries.map(({ part, what, end }) =>
    end[0] === 'refused'
      ? [part, what, 'refused', end[1]]
      : [part, what, `believed as a ${end[0]}`, `point ${OUTSIDE_IDS.indexOf(end[1]) + 1}`],
  )
  return `${forgeries.length} kinds: ${count('refused')} are refused, ${count('pass')} are believed as a pass, and ${count('violation')} as a violation.

${markdownTable([['of what', 'what was changed', 'what becomes of it', 'words of what is said, or why'], ...rows])}`
}
