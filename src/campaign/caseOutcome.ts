import { createHash } from 'node:crypto'
import { classesOf, propertyFamilies } from '../reporting/report/propertyFamilies.ts'
import { type CaseResult, casesOf, type Results } from '../reporting/results.ts'
import { fingerprintOf } from '../runner/verdict/fingerprint.ts'
import { caseEnds } from '../runner/verdict/result.ts'
import { isUnjudged } from '../runner/verdict/verdict.ts'
import { withoutCounts } from './fingerprints.ts'
import type { FailedCase, SeedFailure, SeedOutcome, SeedPlan } from './seedRunner.ts'

export interface RanCases {
  readonly results: Results
  /** SHA-256 of the responses in each case, in hex, by the id of the case; empty for an outside service. */
  readonly answers: Readonly<Record<string, string>>
}

type Failure = NonNullable<CaseResult['failure']>

/** Prefix of the label that counts how often a case exercised the service. */
export const EXERCISED = 'exercised: '
/** Prefixes of the labels that count the seeds that gave a requirement enough evidence, or too little. */
export const EVIDENCE = { enough: 'evidence: ', missing: 'no evidence: ' } as const

/**
 * Returns the outcome of a seed of the suite `property` or `conform`. Its trace has a line for each case, in order of the suite.
 * For the reference, a line holds everything that follows from the seed. An outside service chooses its own ids and runs in real
 * time, so only its verdicts are traced.
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

/** Leaves out durations and the paths of this machine. */
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

/** Returns a failed case without machine-specific parts, and with only the exchange at which it failed. */
function failedCase({ id, title, requirements, status, notes }: CaseResult, failure: Failure): FailedCase {
  const found = JSON.parse(JSON.stringify(withoutMachine(failure)))
  return {
    ...{ id, title, requirements, status: status === 'fail' ? 'fail' : 'inconclusive' },
    notes: notes.filter((note) => !note.startsWith('a kept failure: ')),
    failure: { ...found, message: found.actual, exchanges: failure.exchanges.slice(-1), replay: '' },
  }
}

/**
 * Returns the fingerprint of a failing case. That of a conformance case is the one in baselines. Generated cases and their actual
 * values differ between seeds, so they are identified by what is expected.
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

/** Returns the reason why a case could not be judged, without the name of the case. */
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

/** Removes the lines of a stack, which name files of this machine. */
function withoutStack(text: string): string {
  return text
    .split('\n')
    .filter((line) => !/^\s+at /.test(line))
    .join('\n')
}
