import { Command } from 'commander'
import { type Block, command, list, paragraph, terms } from '../../reporting/document/model.ts'
import { toTerminal } from '../../reporting/document/terminal.ts'
import { clauseText } from '../../reporting/documents/clauses.ts'
import { plural } from '../../reporting/plural.ts'
import { didYouMean } from '../../runner/plan/suggest.ts'
import { UsageError } from '../../spec/errors.ts'
import { neededEvidence } from '../../spec/requirements/evidence.ts'
import { guidanceOf } from '../../spec/requirements/guidance.ts'
import {
  allRequirements,
  assertedAs,
  isRequirementId,
  type RequirementId,
  requirement,
  restatementsOf,
} from '../../spec/requirements/index.ts'
import { READINGS } from '../../spec/requirements/readings.ts'
import { type CaseIndex, caseIndex } from '../suites/caseIndex.ts'
import { invocation } from '../terminal/invocation.ts'
import type { DeclareCommand } from '../terminal/output.ts'

export const explainCommand: DeclareCommand = (output) => {
  return new Command('explain')
    .description('Explain one requirement, or one case of the suite: clause, level, cases.')
    .argument('<id...>', 'ids of requirements or of cases')
    .option('--json', 'print each as a line of JSON')
    .addHelpText('after', '\nExample:\n  plumbline explain build.minimum.reverts')
    .action(async (ids: readonly string[], { json }: { readonly json?: boolean }) => {
      const index = await caseIndex()
      // Looks up all ids before printing any text: the error about a wrong one is not lost between two texts.
      const texts = ids.map((id) =>
        json
          ? [JSON.stringify(factsOf(id, index))]
          : toTerminal(isRequirementId(id) ? aboutRequirement(id, index) : aboutCase(id, index)),
      )
      const lines = texts.flatMap((text, at) => (json || at === 0 ? text : ['', ...text]))
      for (const line of lines) output.out(line)
    })
}

/** Returns the facts that `--json` prints. @throws {UsageError} */
function factsOf(id: string, index: CaseIndex): unknown {
  if (!isRequirementId(id)) {
    const { title, requirements, uses } = caseOf(id, index)
    return { id, title, requirements, uses }
  }
  const { cases, defects } = testsOf(id, index)
  return {
    ...requirement(id),
    guidance: guidanceOf(id).map(([kind, text]) => ({ kind, text })),
    restatedBy: restatementsOf(id).map((again) => again.id),
    cases: cases.map((testCase) => testCase.id),
    defects: defects.map((defect) => defect.id),
  }
}

/** Returns the cases that test a requirement and the defects that break it; for a restatement, those of the original. */
function testsOf(id: RequirementId, { cases, defects }: CaseIndex): Pick<CaseIndex, 'cases' | 'defects'> {
  const asserted = assertedAs(id)
  return {
    cases: cases.filter(({ requirements }) => requirements.includes(asserted)),
    defects: defects.filter(({ breaks }) => breaks === asserted),
  }
}

function aboutRequirement(id: RequirementId, index: CaseIndex): readonly Block[] {
  const entry = requirement(id)
  const { convention, untestableBecause, sameAs, capability } = entry
  const { cases, defects } = testsOf(id, index)
  const reading = READINGS[assertedAs(id)]
  const needed = Object.values(neededEvidence(id)).flat()
  const needs = `needs ${entry.needs}; about ${entry.subject}${capability ? `; needs the capability ${capability}` : ''}`
  return [
    paragraph(`${entry.id}, SPEC §${entry.section}`),
    list([[`“${entry.clause}”`]]),
    terms(guidanceOf(id)),
    ...(sameAs ? [paragraph(`restates ${clauseText(sameAs)}`)] : []),
    ...restatementsOf(id).map((again) => paragraph(`restated by ${clauseText(again.id)}`)),
    paragraph(`level ${entry.level}; ${needs}`),
    ...(convention === undefined ? [] : [paragraph(`a convention: ${convention.because}`)]),
    ...(reading === undefined ? [] : [paragraph(`why: ${reading}`)]),
    paragraph(
      untestableBecause === undefined
        ? `a pass needs ${plural(entry.floor, 'observation')} at least`
        : `untestable: ${untestableBecause}`,
    ),
    ...(untestableBecause === undefined && needed.length > 0
      ? [paragraph(`a whole run must have seen: ${needed.join(', ')}`)]
      : []),
    ...(cases.length === 0
      ? []
      : titled(`${plural(cases.length, 'case tests', 'cases test')} it:`, cases.map(named))),
    ...(defects.length === 0
      ? []
      : titled('defects that these cases must detect (`plumbline prove`):', defects.map(named))),
  ]
}

const named = ({ id, title }: { readonly id: string; readonly title: string }) => `${id}: ${title}`

function titled(title: string, items: readonly string[]): readonly Block[] {
  return [paragraph(title), list(items.map((item) => [item]))]
}

/** @throws {UsageError} neither a requirement nor a case has this id. */
function caseOf(id: string, { cases }: CaseIndex): CaseIndex['cases'][number] {
  const testCase = cases.find((each) => each.id === id)
  if (testCase !== undefined) return testCase
  const ids = [...allRequirements(), ...cases].map((each) => each.id)
  throw new UsageError(
    `no requirement and no case is called ${id}`,
    `${didYouMean(id, ids)}\`plumbline list\` shows the requirements, \`plumbline conform --list\` the cases.`,
  )
}

/** @throws {UsageError} */
function aboutCase(id: string, index: CaseIndex): readonly Block[] {
  const testCase = caseOf(id, index)
  const tested = testCase.requirements.map((each) => `${each}: ${requirement(each).statement}`)
  return [
    ...titled(testCase.id, [testCase.title]),
    paragraph(`uses ${['http', ...testCase.uses].join(', ')}`),
    ...titled('tests:', tested),
    command(`${invocation()} conform reference --only ${testCase.id}`, 'run it'),
  ]
}
