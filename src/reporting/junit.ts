import builder, { type Builder } from 'junit-report-builder'
import { isRequirementId, requirement } from '../spec/requirements/index.ts'
import { SECTION_TITLES } from '../spec/requirements/sections.ts'
import { excusesOf } from './baseline.ts'
import { type BaselineLine, describeBaseline } from './baselineText.ts'
import { toTerminal } from './document/terminal.ts'
import { clauseOf } from './documents/clauses.ts'
import { exchangeBlocks } from './documents/exchanges.ts'
import { failureBlocks } from './documents/failure.ts'
import { type CaseFailure, type CaseResult, casesOf, type Results } from './results.ts'

// The package's types describe its CommonJS form, where the builder is one `default` deeper than in the ESM form.
const junit = builder as unknown as Builder

/**
 * Returns a run as JUnit XML: failures as failures, inconclusive results as errors, and excused failures as skipped. Each
 * baseline entry that fails the run is a failure in a suite named `baseline`. The class of a case is its section of the
 * specification, by which Jenkins and GitLab group.
 */
export function toJunit(run: Results): string {
  const report = junit.newBuilder()
  const excuses = excusesOf(run)
  const reasons: string[] = []
  for (const { name, cases } of run.suites) {
    const suite = report.testSuite().name(name).time(secondsOf(cases))
    for (const [property, value] of propertiesOf(run)) suite.property(property, printable(value))
    for (const row of cases) {
      const { id, status, notes, failure, durationMs } = row
      const testCase = suite
        .testCase()
        .className(`${name}.${sectionOf(row)}`)
        .name(id)
      if (durationMs !== undefined) testCase.time(durationMs / MS_PER_S)
      if (status === 'not-applicable' || status === 'skipped') {
        testCase.skipped()
        reasons.push(notes[0] ?? status)
      }
      if (status === 'inconclusive' && failure === null)
        testCase.error(
          printable(notes[0] || 'nothing was exercised'),
          'inconclusive',
          printable(notes.join('\n')),
        )
      if (failure === null) continue
      const excuse = excuses.get(id)
      if (excuse !== undefined) {
        const known = excuse.inconclusive === undefined ? 'known failure' : 'known to be inconclusive'
        const why = `${known}, excused until ${excuse.expires}: ${excuse.reason} (${excuse.link})`
        reasons.push(why)
        testCase.skipped().standardOutput(printable([why, ...evidenceOf(row, failure)].join('\n')))
        continue
      }
      const [first = 'see below'] = printable(failure.message).match(/[^\r\n]+/) ?? []
      const text = printable([`replay: ${failure.replay}`, ...evidenceOf(row, failure)].join('\n'))
      if (status === 'fail') testCase.failure(first, 'violated requirement').stacktrace(text)
      else testCase.error(first, 'inconclusive', text)
    }
  }
  const outdated = outdatedOf(run)
  const suite = outdated.length === 0 ? null : report.testSuite().name('baseline')
  for (const { kind, text } of outdated)
    suite?.testCase().className('baseline').name(printable(text)).failure(printable(text), kind)
  return toSchema(report.build(), secondsOf(casesOf(run)), reasons)
}

/** Number of last exchanges shown for a failure. */
const EXCHANGES = 2

/** Returns the evidence of a failure: each broken clause, and the last exchanges. */
function evidenceOf(row: CaseResult, failure: CaseFailure): readonly string[] {
  return toTerminal([...failureBlocks(failure, clauseOf), ...exchangeBlocks(row, null, EXCHANGES)])
}

/** Returns the outdated entries of the baseline, one line each. */
function outdatedOf({ baseline }: Results): readonly BaselineLine[] {
  if (baseline === null) return []
  const none = { ...baseline, excused: [], widened: [], differs: [], stale: [], expired: [] }
  return [
    { ...none, widened: baseline.widened },
    ...baseline.stale.map((entry) => ({ ...none, stale: [entry] })),
    ...baseline.expired.map((entry) => ({ ...none, expired: [entry] })),
  ].flatMap((part) => describeBaseline({ baseline: part }))
}

const MS_PER_S = 1_000

function secondsOf(cases: readonly CaseResult[]): number {
  return cases.reduce((sumMs, { durationMs = 0 }) => sumMs + durationMs, 0) / MS_PER_S
}

/** Returns the properties that identify a run, repeated on each of its suites. */
function propertiesOf({ target, seed, profile, verdict, shard }: Results): readonly [string, string][] {
  const part: readonly [string, string][] =
    shard === undefined ? [] : [['shard', `${shard.index}/${shard.of}`]]
  return [['target', target], ['profile', profile], ['seed', String(seed)], ['verdict', verdict], ...part]
}

/** Returns the section that a case tests, without a dot: Jenkins reads the text before the last dot as a package. */
function sectionOf({ requirements: [tested = ''] }: CaseResult): string {
  if (!isRequirementId(tested)) return 'other'
  const { section } = requirement(tested)
  return `${section} ${SECTION_TITLES[section] ?? ''}`.trim().replaceAll('.', '-')
}

/**
 * Adds the parts that the schema wants and the library cannot write: the time of the whole run and the reason why each case is
 * skipped; removes the number of skipped cases from the root.
 */
function toSchema(xml: string, seconds: number, reasons: readonly string[]): string {
  let skipped = 0
  return xml
    .replace(/<testsuites ([^>]*?) skipped="\d+"/, `<testsuites time="${seconds}" $1`)
    .replaceAll(SKIPPED_OR_TEXT, (found) =>
      found === SKIPPED ? `<skipped message="${attribute(reasons[skipped++] ?? '')}"/>` : found,
    )
}

const SKIPPED = '<skipped/>'
/** The text of a target may look like the element. */
const SKIPPED_OR_TEXT = /<!\[CDATA\[[\s\S]*?\]\]>|<skipped\/>/g

function attribute(text: string): string {
  return printable(text).replaceAll(/[&<>"\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`)
}

/**
 * Returns text that XML can represent and that closes no CDATA section: `]]>` is escaped in a way that JSON reads as the same
 * text, since the library splits a section only at the first one. A response may contain anything.
 */
function printable(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, (character) =>
      /[\t\n\r]/.test(character) ? character : '\ufffd',
    )
    .replaceAll(']]>', ']]\\u003e')
}
