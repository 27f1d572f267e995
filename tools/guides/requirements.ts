import { neededEvidence } from '../../src/spec/requirements/evidence.ts'
import { guidanceOf } from '../../src/spec/requirements/guidance.ts'
import {
  LEVELS,
  type Requirement,
  type RequirementId,
  requirement,
  restatementsOf,
} from '../../src/spec/requirements/index.ts'
import { READINGS } from '../../src/spec/requirements/readings.ts'
import { SECTION_TITLES } from '../../src/spec/requirements/sections.ts'

/** Returns one page for each chapter of the specification and an index page, by file name in docs/. */
export function requirementPages(all: readonly Requirement<RequirementId>[]): ReadonlyMap<string, string> {
  const chapters = [...new Set(all.map(chapterOf))]
  const pages = chapters.map((chapter): [string, string] => [
    `requirements/section-${chapter}.md`,
    pageOf(
      chapter,
      all.filter((each) => chapterOf(each) === chapter),
    ),
  ])
  return new Map([['requirements/README.md', contentsOf(chapters, all)], ...pages])
}

const chapterOf = ({ section }: Requirement): string => section.split('.')[0] ?? section

function contentsOf(chapters: readonly string[], all: readonly Requirement<RequirementId>[]): string {
  const rows = chapters.map((chapter) => {
    const own = all.filter((each) => chapterOf(each) === chapter)
    const counts = LEVELS.map((level) => own.filter((each) => each.level === level).length || '')
    return `| [§${chapter} ${headingOf(chapter)}](section-${chapter}.md) | ${counts.join(' | ')} |`
  })
  return lines(
    '# Requirements',
    '',
    'Every sentence of the specification, in a form that a case can cite. `must`: a violation fails; where it says more than its',
    'clause, _Why_ names the words that say the rest. `convention`: the suite',
    'holds to one reading of several ([conventions](../conventions.md)). `may`: the service is free to do it. `silent`: the',
    'specification leaves the point open; the behaviour is recorded and never fails. `untestable`: no observation from outside',
    'could show a violation, for the reason given. `plumbline explain ID` shows a requirement with its cases.',
    '',
    `| section | ${LEVELS.join(' | ')} |`,
    `| --- | ${LEVELS.map(() => '--:').join(' | ')} |`,
    ...rows,
  )
}

function pageOf(chapter: string, requirements: readonly Requirement<RequirementId>[]): string {
  const sections = [...new Set(requirements.map(({ section }) => section))]
  return lines(
    `# §${chapter} ${headingOf(chapter)}`,
    ...sections.flatMap((section) => [
      ...(section === chapter ? [] : ['', `## §${section} ${headingOf(section)}`]),
      ...requirements.filter((each) => each.section === section).flatMap(entryOf),
    ]),
  )
}

function entryOf(entry: Requirement<RequirementId>) {
  const { id, clause, statement, level, needs, floor, capability, untestableBecause, sameAs } = entry
  const facts = [
    level,
    ...(untestableBecause === undefined ? [`needs ${needs}`, `exercised at least ${times(floor)}`] : []),
    ...(capability === undefined ? [] : [`capability ${capability}`]),
  ]
  const again = restatementsOf(id).map((each) => linkTo(each.id))
  const { venues, boundaryClasses } = neededEvidence(id)
  const needed = [...venues, ...boundaryClasses].map((one) => `\`${one}\``)
  return [
    '',
    `### ${id}`,
    '',
    `> ${clause}`,
    '',
    statement,
    ...(sameAs === undefined ? passingOf(id) : []),
    ...(READINGS[id] === undefined ? [] : ['', `Why: ${READINGS[id]}`]),
    ...(sameAs === undefined ? [] : ['', `Restates ${linkTo(sameAs)}, and shares its evidence.`]),
    ...(again.length === 0 ? [] : ['', `Restated by ${again.join(', ')}.`]),
    ...(untestableBecause === undefined ? [] : ['', `Not testable: ${untestableBecause}`]),
    '',
    `_${facts.join(' · ')}_`,
    ...(needed.length === 0 ? [] : ['', `A whole run must have seen: ${needed.join(', ')}.`]),
  ]
}

/** Returns the tolerance of a requirement's figure, and the readings that pass. */
function passingOf(id: RequirementId): readonly string[] {
  const passing = guidanceOf(id).filter(([kind]) => kind !== 'to pass')
  return passing.length === 0 ? [] : ['', ...passing.map(([kind, text]) => `- ${kind}: ${text}`)]
}

/** Returns a link to the heading of a requirement, as GitHub names it. */
const linkTo = (id: RequirementId): string =>
  `[${id}](section-${chapterOf(requirement(id))}.md#${id.replaceAll('.', '')})`

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`)

const headingOf = (section: string): string => SECTION_TITLES[section] ?? ''

const lines = (...texts: readonly string[]): string => `${texts.join('\n')}\n`
