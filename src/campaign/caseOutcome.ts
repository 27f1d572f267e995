import { classesOf, propertyFamilies } from '../reporting/report/propertyFamilies.ts'
import { type CaseResult, casesOf, type Results } from '../reporting/results.ts'
import { fingerprintOf } from '../runner/verdict/fingerprint.ts'
import { caseEnds } from '../runner/verdict/result.ts'
import { isUnjudged } from '../runner/verdict/verdict.ts'
import { shortenText } from '../spec/cutText.ts'
import type { CampaignFailure, SeedOutcome, SeedPlan } from './seedRunner.ts'
import { withoutCounts } from './withoutCounts.ts'

/** Describes what the cases of one seed came to in the process that ran them. Plain data. */
export interface RanCases {
  readonly results: Results
  /** SHA-256 of what the service returned in each case, in hex, by the id of the case; none of an outside service. */
  readonly answers: Readonly<Record<string, string>>
}

type Failure = NonNullable<CaseResult['failure']>

/** How a case is labelled with the number of times that it exercised the service. */
export const EXERCISED = 'exercised: '
/** How a requirement is labelled with the number of seeds that gave it enough evidence, and with that of those that did not. */
export const EVIDENCE = { enough: 'evidence: ', missing: 'no evidence: ' } as const

const MESSAGE_CHARACTERS = 500

/**
 * Returns what a seed of the suite `property` or `conform` came to. Its trace is a line for each case, in the order of the suite. Of
 * the reference everything counts that follows from the seed; an outside service chooses ids, and lives in real time: of it
 * only verdicts count.
 */
export function outcomeOfCases(plan: SeedPlan, seed: number, { results, answers }: RanCases): SeedOutcome {
  const rows = casesOf(results)
  const entries = [
    { suite: plan.suite, only: plan.only ?? [], seed, profile: results.profile },
    ...rows.map((row) => (plan.target === undefined ? wholeEntry(row, answers) : verdictEntry(row))),
  ]
  const families = plan.suite === 'property' ? propertyFamilies({ ...results, floors: [] }) : []
  return {
    seed,
    steps: plan.suite === 'property' ? families.reduce((sum, { cases }) => sum + cases, 0) : ran(rows).length,
    labels: [
      ...classesOf(families).map(({ name, count }) => [name, count] as const),
      ...ran(rows).map(({ id, exercised }) => [`${EXERCISED}${id}`, exercised] as const),
      ...(plan.suite === 'conform' ? evidenceOf(results) : []),
    ],
    entries,
    trace: entries.map((entry) => JSON.stringify(entry)).join('\n'),
    failures: failuresOf(plan, seed, results),
  }
}

/** Returns the cases that the service could be run against. */
function ran(rows: readonly CaseResult[]): readonly CaseResult[] {
  return rows.filter(({ status }) => status !== 'not-applicable' && status !== 'skipped')
}

function evidenceOf({ requirements }: Results): readonly (readonly [string, number])[] {
  return requirements.flatMap(({ id, status }) =>
    status === 'not-applicable'
      ? []
      : [[`${status === 'inconclusive' ? EVIDENCE.missing : EVIDENCE.enough}${id}`, 1] as const],
  )
}

function verdictEntry({ id, status, failure }: CaseResult) {
  return { id, status, requirement: failure?.requirement ?? null }
}

/** Durations, and where files are on this machine, are no part of it. */
function wholeEntry(row: CaseResult, answers: RanCases['answers']) {
  const { id, status, exercised, notes, judged, failure } = row
  return {
    id,
    status,
    exercised,
    notes: failure === null ? notes : [],
    judged,
    failure: failure === null ? null : withoutMachine(failure),
    answers: answers[id] ?? null,
  }
}

function withoutMachine({ blame, requirement, expected, actual, others, counterexample }: Failure) {
  return { blame, requirement, expected, actual: withoutStack(actual), others, counterexample }
}

/** Returns the failures of one seed, each once, in order of their fingerprints. */
function failuresOf(plan: SeedPlan, seed: number, results: Results): readonly CampaignFailure[] {
  const rows = casesOf(results)
  const found = rows.flatMap((row) => (row.failure === null ? [] : [failureOf(plan, seed, row, row.failure)]))
  const failures = isUnjudged(results) && found.length === 0 ? [nothingJudged(seed)] : found
  const each = new Map(failures.map((failure) => [failure.fingerprint, failure]))
  return [...each.values()].sort((one, other) => (one.fingerprint < other.fingerprint ? -1 : 1))
}

function failureOf(plan: SeedPlan, seed: number, row: CaseResult, failure: Failure): CampaignFailure {
  const { id, status } = row
  const { requirement, expected } = failure
  const seen = withoutStack(failure.actual)
  const isFail = status === 'fail'
  return {
    fingerprint: fingerprintOfRow(plan, row, failure),
    seed,
    seeds: 1,
    status: isFail ? 'fail' : 'inconclusive',
    property: id,
    requirement,
    message: shortenText(
      isFail ? `${requirement}: expected ${expected}, actual ${seen}` : `${id}: ${seen}`,
      MESSAGE_CHARACTERS,
    ),
    path: null,
  }
}

/**
 * A conformance case has the fingerprint that a baseline knows. A generated case differs from seed to seed, and so does what
 * there was instead of what a property expects: the sentence that is broken identifies it.
 */
function fingerprintOfRow(
  { suite }: SeedPlan,
  row: CaseResult,
  { requirement, expected, actual }: Failure,
): string {
  const known = suite === 'conform' ? caseEnds([row])[0]?.fingerprint : null
  return (
    known ??
    fingerprintOf({
      caseId: row.id,
      requirement: requirement ?? row.status,
      expected: withoutCounts(expected),
      actual: row.status === 'fail' ? '' : withoutCounts(problemIn(actual)),
    })
  )
}

/** Returns why a case could not be judged, without the case. */
function problemIn(seen: string): string {
  const [line = ''] = seen.split('\n', 1)
  return line.replace(/^.* could not be judged: /, '')
}

function nothingJudged(seed: number): CampaignFailure {
  const [message, caseId] = ['nothing was judged', 'nothing was judged']
  const fingerprint = fingerprintOf({ caseId, requirement: '', expected: '', actual: '' })
  const unjudged = { property: null, requirement: null, path: null }
  return { fingerprint, seed, seeds: 1, status: 'inconclusive', message, ...unjudged }
}

/** Returns the lines of a stack name files of this machine. */
function withoutStack(text: string): string {
  return text
    .split('\n')
    .filter((line) => !/^\s+at /.test(line))
    .join('\n')
}
