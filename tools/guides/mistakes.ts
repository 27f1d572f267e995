import { type EmptyCells, MISTAKE_CLASSES, type MistakeTable } from '../../src/runner/proof/mistakes.ts'

/** The page of requirement × class of mistake: a mark where there are defects, or the letter of the argument why there is none. */
export function mistakesPage({ cells }: MistakeTable, argued: readonly EmptyCells[]): string {
  const classes = Object.keys(MISTAKE_CLASSES)
  const requirements = [...new Set(cells.map(({ requirement }) => requirement))]
  const rows = requirements.map((id) => {
    const own = cells.filter(({ requirement }) => requirement === id)
    const texts = own.map(({ argument }) => (argument === null ? '●' : letterOf(argument)))
    return `| ${id} | ${texts.join(' | ')} |`
  })
  return [
    '# Requirement × class of mistake',
    '',
    'Which mistakes each requirement forbids. ● marks the cells that have defects in `conformance/defects`: broken services that break',
    'this requirement by a mistake of this class, each killed by a case, a scenario or a property. A letter is an argument, below,',
    'why a cell has none. `npx plumbline prove` fails on a cell with neither, and on an argument that a defect contradicts. Written by',
    '`npm run guides`; [proof.md](proof.md) says how defects are classified.',
    '',
    '## Classes',
    '',
    '| class | a mistake in which |',
    '| --- | --- |',
    ...Object.entries(MISTAKE_CLASSES).map(([name, meaning]) => `| ${name} | ${meaning} |`),
    '',
    '## Arguments',
    '',
    'An argument that names clauses says where a mistake of the class is explained and has its defects.',
    '',
    '| | classes | because | shown at |',
    '| --- | --- | --- | --- |',
    ...argued.map(
      ({ mistakes, because, shownAt = [] }, index) =>
        `| ${letterOf(index)} | ${mistakes.join(', ')} | ${because} | ${shownAt.map((id) => `\`${id}\``).join(', ')} |`,
    ),
    '',
    '## The table',
    '',
    `| requirement | ${classes.join(' | ')} |`,
    `| --- | ${classes.map(() => '---').join(' | ')} |`,
    ...rows,
    '',
  ].join('\n')
}

/** a, b, … z, aa, ab, … */
function letterOf(index: number): string {
  const last = String.fromCharCode(97 + (index % 26))
  return index < 26 ? last : `${letterOf(Math.floor(index / 26) - 1)}${last}`
}
