import { createHash } from 'node:crypto'
import { classesOf, propertyFamilies } from '../reporting/report/propertyFamilies.ts'
import { type CaseResult, casesOf, type Results } from '../reporting/results.ts'
import { fingerprintOf } from '../runner/verdict/fingerprint.ts'
import { caseEnds } from '../runner/verdict/result.ts'
import { isUnjudged } from '../runner/verdict/verdict.ts'
import { withoutCounts } from './fingerprints.ts'
import type { FailedCase, SeedFailure, SeedOutcome, SeedPlan } from './seedRunner.ts'

/** Describes what the cases of one seed came to. */
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

/**
 * Returns what a seed of the suite `property` or `conform` came to. Its trace is a line for each case, in the order of the suite. Of
 * the reference everything counts that follows from the seed; an outside service chooses ids, and lives in real time: of it
 * only verdicts count.
 */
export function outcomeOfCases(plan: SeedPlan, seed: number, { results, answers }: RanCases): SeedOutcome {
  const { suite, only = [], target } = plan
  const rows = casesOf(results)
  const entries = [
    { suite, only, seed, profile: results.profile },
    ...rows.map((row) => (target === undefined ? wholeEntry(row, answers) : verdictEntry(row))),
  ]
  const families = suite === 'property' ? propertyFamilies({ ...results, floors: [] }) : []
  const ran = rows.filter(({ status }) => status !== 'not-applicable' && status !== 'skipped')
  const trace = entries.map((entry) => JSON.stringify(entry)).join('\n')
  return {
    steps: suite === 'property' ? families.reduce((sum, { cases }) => sum + cases, 0) : ran.length,
    labels: [
      ...classesOf(families).map(({ name, count }) => [name, count] as const),
      ...ran.map(({ id, exercised }) => [`${EXERCISED}${id}`, exercised] as const),
      ...(suite === 'conform' ? evidenceOf(results) : []),
    ],
    digest: createHash('sha256').update(trace).digest('hex'),
    failures: failuresOf(plan, seed, results),
  }
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
function wholeEntry(
  { id, status, exercised, notes, judged, failure }: CaseResult,
  answers: RanCases['answers'],
) {
  const whole = { id, status, exercised, notes: failure === null ? notes : [], judged }
  return {
    ...whole,
    failure: failure === null ? null : withoutMachine(failure),
    answers: answers[id] ?? null,
  }
}

function withoutMachine({ blame, requirement, expected, actual, others, counterexample }: Failure) {
  return { blame, requirement, expected, actual: withoutStack(actual), others, counterexample }
}

/** Returns the failures of one seed, each once, in order of their fingerprints. */
function failuresOf({ suite }: SeedPlan, seed: number, results: Results): readonly SeedFailure[] {
  const found = casesOf(results).flatMap((row) =>
    row.failure === null
      ? []
      : [
          {
            seed,
            fingerprint: fingerprintOfRow(suite, row, row.failure),
            case: failedCase(row, row.failure),
          },
        ],
  )
  const failures = isUnjudged(results) && found.length === 0 ? [nothingJudged(seed)] : found
  const each = new Map(failures.map((failure) => [failure.fingerprint, failure]))
  return [...each.values()].sort((one, other) => (one.fingerprint < other.fingerprint ? -1 : 1))
}

/** Returns a case that failed, without what differs from machine to machine; of its exchanges, the one that it failed at. */
function failedCase({ id, title, requirements, status, notes }: CaseResult, failure: Failure): FailedCase {
  const found = JSON.parse(JSON.stringify(withoutMachine(failure)))
  return {
    ...{ id, title, requirements, status: status === 'fail' ? 'fail' : 'inconclusive' },
    notes: notes.filter((note) => !note.startsWith('a kept failure: ')),
    failure: { ...found, message: found.actual, exchanges: failure.exchanges.slice(-1), replay: '' },
  }
}

/**
 * Returns what identifies a failing case. A conformance case has the fingerprint that a baseline knows. A generated case differs from seed
 * to seed, and so does what there was instead of what a property expects: the sentence that is broken identifies it.
 */
function fingerprintOfRow(
  suite: SeedPlan['suite'],
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
function problemIn(actual: string): string {
  const [line = ''] = actual.split('\n', 1)
  return line.replace(/^.* could not be judged: /, '')
}

function nothingJudged(seed: number): SeedFailure {
  const id = 'nothing was judged'
  const fingerprint = fingerprintOf({ caseId: id, requirement: '', expected: '', actual: '' })
  return {
    ...{ seed, fingerprint },
    case: { id, title: id, requirements: [], status: 'inconclusive', notes: [], failure: null },
  }
}

/** Returns a text without the lines of its stack, which name files of this machine. */
function withoutStack(text: string): string {
  return text
    .split('\n')
    .filter((line) => !/^\s+at /.test(line))
    .join('\n')
}
