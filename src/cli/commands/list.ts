import { Command, Option } from 'commander'
import { type Block, paragraph, table } from '../../reporting/document/model.ts'
import { didYouMean } from '../../runner/plan/suggest.ts'
import { UsageError } from '../../spec/errors.ts'
import {
  allRequirements,
  assertedAs,
  LEVELS,
  matchRequirements,
  type Requirement,
  UnknownRequirementError,
} from '../../spec/requirements/index.ts'
import { caseIndex } from '../suites/caseIndex.ts'
import type { DeclareCommand } from '../terminal/output.ts'
import { printBlocks } from '../terminal/printBlocks.ts'

interface ListOptions {
  readonly level?: (typeof LEVELS)[number]
  readonly section?: string
  readonly json?: boolean
}

type Row = Pick<Requirement, 'id' | 'section' | 'level' | 'needs' | 'statement' | 'sameAs'> & {
  /** Number of cases that test it. */
  readonly cases: number
}

export const listCommand: DeclareCommand = (output, finish) => {
  return new Command('list')
    .description('List the requirements of the specification, and count those without a case.')
    .addOption(new Option('--level <level>', 'only those of one level').choices([...LEVELS]))
    .option('--section <n>', 'only those of a section, such as 4.1, or 4 with all below it')
    .option('--json', 'print them as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  plumbline list\n  plumbline list --level silent\n  plumbline list --section 4.3',
    )
    .action(async (options: ListOptions) => {
      const rows = await rowsOf(options)
      if (options.json) output.out(JSON.stringify(rows))
      else printBlocks(blocksOf(rows), output.out)
      // A requirement without a case is a gap in the suite.
      const hasGap = rows.some(({ level, cases }) => level !== 'untestable' && cases === 0)
      finish(hasGap ? 'inconclusive' : 'conforms')
    })
}

async function rowsOf({ level: only, section: within }: ListOptions): Promise<readonly Row[]> {
  const counts = new Map<string, number>()
  for (const { requirements } of (await caseIndex()).cases)
    for (const id of new Set(requirements)) counts.set(id, (counts.get(id) ?? 0) + 1)
  return inSection(within)
    .filter(({ level }) => only === undefined || level === only)
    .map(({ id, section, level, needs, statement, sameAs }) => ({
      ...{ id, section, level, needs, cases: counts.get(assertedAs(id)) ?? 0, statement },
      ...(sameAs && { sameAs }),
    }))
}

/** @throws {UsageError} the specification has no such section. */
function inSection(section: string | undefined): ReturnType<typeof allRequirements> {
  if (section === undefined) return allRequirements()
  try {
    return matchRequirements(section)
  } catch (error) {
    if (!(error instanceof UnknownRequirementError)) throw error
    const sections = [...new Set(allRequirements().map((entry) => entry.section))]
    throw new UsageError(
      `the specification has no section ${section}`,
      `${didYouMean(section, sections)}Sections: ${sections.join(', ')}.`,
    )
  }
}

function blocksOf(rows: readonly Row[]): readonly Block[] {
  const counts = LEVELS.map((level) => {
    const of = rows.filter((row) => row.level === level)
    const covered = of.filter(({ cases }) => cases > 0).length
    return [level, of.length, ...(level === 'untestable' ? ['-', '-'] : [covered, of.length - covered])]
  })
  return [
    ...rows.map(({ id, section, level, cases, statement, sameAs }) => {
      const count = level === 'untestable' ? 'not testable' : `${cases} cases`
      const tested = sameAs === undefined ? count : `${count}; restates ${sameAs}`
      return paragraph(`§${section.padEnd(4)} ${level.padEnd(10)} ${id} (${tested})\n      ${statement}`)
    }),
    table('levels', ['level', 'requirements', 'with a case', 'without'], counts),
  ]
}
