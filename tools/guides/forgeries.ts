import { markdownTable } from 'markdown-table'
import { FINDERS, type Forgery } from '../../src/recordings/testing/forgeries/forgery.ts'
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
