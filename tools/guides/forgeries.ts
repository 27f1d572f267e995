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
  const believed = forgeries.filter(({ found }) => 'believed' in found).length
  const rows = forgeries.map(({ part, what, found }) =>
    'believed' in found
      ? [part, what, `not proved: point ${numberOf(found.believed)}`, '']
      : [part, what, FINDERS[found[0]], found[1]],
  )
  const head = ['of what', 'what was changed', 'found by', 'words of what is said']
  return `${forgeries.length} kinds: ${forgeries.length - believed} are found, ${believed} stand on the list above.

${markdownTable([head, ...rows])}`
}
