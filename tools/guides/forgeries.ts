import { FINDERS, type Forgery } from '../../src/recordings/testing/forgeries/forgery.ts'
import type { OutsideForgery } from '../../src/recordings/testing/forgeries/outside/forgery.ts'
import { OUTSIDE_POINTS, type OutsidePointId } from '../../src/recordings/testing/forgeries/outside/points.ts'
import { POINTS, type PointId } from '../../src/recordings/testing/forgeries/points.ts'
import { groupBy } from '../../src/reporting/groupBy.ts'

const POINT_IDS = Object.keys(POINTS) as PointId[]
const numberOf = (id: PointId) => POINT_IDS.indexOf(id) + 1

/** Returns the numbered list of the points that a recording does not prove. */
export function listOfPoints(): string {
  return POINT_IDS.map((id) => `${numberOf(id)}. ${POINTS[id]}`).join('\n')
}

/** Returns the list of all forgeries, by the forged part and the check that finds it, below a line with their numbers. */
export function listOfForgeries(forgeries: readonly Forgery[]): string {
  const count = (isCounted: (forgery: Forgery) => boolean) => forgeries.filter(isCounted).length
  const believed = count(({ found }) => 'believed' in found)
  const always = count(({ found }) => 'believed' in found && found.always === true)
  const kinds = forgeries.map(({ part, what, found }) => {
    if (!('believed' in found)) return { part, what, end: FINDERS[found[0]] }
    const point = `not proved (${numberOf(found.believed)})`
    return { part, what, end: found.always ? point : `${FINDERS.replay}, else ${point}` }
  })
  return `${forgeries.length} kinds: ${forgeries.length - believed} are found in any case, ${believed - always} by running the recording again, and ${always} are not found.

${grouped(kinds)}`
}

/** Returns one item for each part, with its kinds by result. */
function grouped(kinds: readonly { part: string; what: string; end: string }[]): string {
  return [...groupBy(kinds, ({ part }) => part)]
    .map(([part, own]) => {
      const ends = [...groupBy(own, ({ end }) => end)]
      const texts = ends.map(([end, same]) => `_${end}:_ ${same.map(({ what }) => what).join('; ')}.`)
      return `- **${part}.** ${texts.join(' ')}`
    })
    .join('\n')
}

const OUTSIDE_IDS = Object.keys(OUTSIDE_POINTS) as OutsidePointId[]

/** Returns the numbered list of the points that a recording of a service from outside does not prove. */
export function listOfOutsidePoints(): string {
  return OUTSIDE_IDS.map((id, index) => `${index + 1}. ${OUTSIDE_POINTS[id]}`).join('\n')
}

/** Returns the list of all forgeries of a service from outside, below a line with their numbers. */
export function listOfOutsideForgeries(forgeries: readonly OutsideForgery[]): string {
  const count = (ends: string) => forgeries.filter(({ end }) => end[0] === ends).length
  const kinds = forgeries.map(({ part, what, end }) => ({
    part,
    what,
    end: end[0] === 'refused' ? 'refused' : `believed as a ${end[0]} (${OUTSIDE_IDS.indexOf(end[1]) + 1})`,
  }))
  return `${forgeries.length} kinds: ${count('refused')} are refused, ${count('pass')} are believed as a pass, and ${count('violation')} as a violation.

${grouped(kinds)}`
}
