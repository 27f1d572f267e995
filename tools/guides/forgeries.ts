import { markdownTable } from 'markdown-table'
import { FINDERS, type Forgery } from '../../src/recordings/testing/forgeries/forgery.ts'
import { POINTS, type PointId } from '../../src/recordings/testing/forgeries/points.ts'

/** The parts of the page, by the name in their markers. */
const PARTS: Readonly<Record<string, (forgeries: readonly Forgery[]) => string>> = {
  'what is not proved': () =>
    pointIds()
      .map((id) => `${numberOf(id)}. ${POINTS[id]}`)
      .join('\n'),
  forgeries: tableOf,
}

/**
 * The page with the list of what is not proved and the table of all forgeries, each between its two markers.
 *
 * @throws {RangeError} the page lacks a marker.
 */
export function recordingsWith(forgeries: readonly Forgery[], page: string): string {
  return Object.entries(PARTS).reduce((text, [name, write]) => {
    const [begin, end] = [`<!-- ${name}: written by \`npm run guides\` -->`, `<!-- /${name} -->`]
    const [from, to] = [text.indexOf(begin), text.indexOf(end)]
    if (from < 0 || to < from)
      throw new RangeError(`docs/recordings.md needs the markers ${begin} and ${end}`)
    return `${text.slice(0, from)}${begin}\n\n${write(forgeries)}\n\n${text.slice(to)}`
  }, page)
}

function tableOf(forgeries: readonly Forgery[]): string {
  const count = (isCounted: (forgery: Forgery) => boolean) => forgeries.filter(isCounted).length
  const believed = count(({ found }) => 'believed' in found)
  const always = count(({ found }) => 'believed' in found && found.always === true)
  const rows = forgeries.map(({ part, what, found }) => {
    if (!('believed' in found)) return [part, what, FINDERS[found[0]], found[1]]
    const point = `point ${numberOf(found.believed)}`
    return [
      part,
      what,
      found.always ? `not proved: ${point}` : `${FINDERS.replay}, else not proved: ${point}`,
      '',
    ]
  })
  const head = ['of what', 'what was changed', 'found by', 'words of what is said']
  return [
    `${forgeries.length} kinds: ${forgeries.length - believed} are found in any case, ${believed - always} by running the recording again, and ${always} stand on the list above whatever is done.`,
    '',
    markdownTable([head, ...rows]),
  ].join('\n')
}

const pointIds = () => Object.keys(POINTS) as PointId[]
const numberOf = (id: PointId) => pointIds().indexOf(id) + 1
