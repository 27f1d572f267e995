import type { CaseFailure, CaseResult as ReportedCase } from '../../reporting/results.ts'
import { PlumblineError } from '../../spec/errors.ts'
import { type Again, type Exchange, redactKeys } from '../../spec/exchange.ts'
import type { Redact } from '../../spec/secrets/redact.ts'
import { BlamedError, type BrokenPromise, PromiseBrokenError } from '../../targets/blame.ts'
import { type Environment, type Part, withParts } from '../../targets/environment/environment.ts'
import {
  createEvidenceRecorder,
  type EvidenceRecorder,
  type Judged,
  type ShownChoice,
} from '../../targets/evidence/evidence.ts'
import { KEPT, keepText } from '../../targets/evidence/kept.ts'
import { HarnessError } from '../harnessError.ts'
import type { Case, CaseEvidence } from './case.ts'

export type { CaseFailure }
/** Result of a case, with the data that it attached for its caller. Plain data. */
export interface CaseResult extends ReportedCase {
  /** The target's choices at open points; part of the results of the run. */
  readonly choices?: readonly ShownChoice[]
  readonly attached?: unknown
}
/** The way a case ended; `inconclusive` never blames the target. */
export type Status = CaseResult['status']

/**
 * Runs one case in the environment that `enter` makes for it, and judges how it ended. A case that exercised nothing is
 * inconclusive, for lack of evidence, unless it says that it does not apply. Never throws for what a target does.
 *
 * @param options.replay returns the command line that runs just this case.
 */
export async function runCase(
  testCase: Case,
  options: {
    readonly enter: () => Promise<Environment>
    readonly replay: (testCase: Case) => string
    /** True if conventions count. Default: no. */
    readonly strict?: boolean
    /** Removes the target's secrets from texts before they are shortened. Default: it has none. */
    readonly redact?: Redact
  },
): Promise<CaseResult> {
  const { id, title, requirements, uses } = testCase
  const about = { id, title, requirements }
  const { redact: redactText = (text) => text } = options
  const keep = (text: string) => keepText(text, redactText)
  const keepNotes = (notes: readonly string[]) => notes.slice(0, KEPT.notes).map(keep)
  const recorder = createEvidenceRecorder(options.strict ?? false, redactText)
  let environment: Environment | null = null
  try {
    const entered = withParts(await options.enter(), uses)
    environment = entered
    const evidence = await recorder.collect(() => testCase.run(entered))
    const unserved = recorder.unserved()
    if (unserved.length > 0)
      throw new HarnessError(
        `${unserved.join(', ')}: refused, but the same request without the mistake was not served`,
        'Send the twin of the refusal in the same case; see docs/internals/authoring.md.',
      )
    const judged = recorder.judged()
    return {
      ...about,
      status: statusOf(evidence, judged),
      exercised: evidence.exercised,
      notes:
        evidence.exercised === 0
          ? [keep(evidence.notApplicable ?? 'nothing was exercised')]
          : keepNotes(evidence.notes ?? []),
      judged,
      ...(evidence.exercised === 0 || evidence.meets === undefined ? {} : { meets: evidence.meets }),
      failure: null,
      choices: recorder.choices(),
      ...attachedTo(recorder),
    }
  } catch (error) {
    const broken = error instanceof PromiseBrokenError ? error : null
    const blame = broken ? 'target' : error instanceof BlamedError ? error.blame : 'harness'
    return {
      ...about,
      status: broken ? 'fail' : 'inconclusive',
      exercised: 0,
      notes: keepNotes(broken?.notes ?? []),
      judged: recorder.judged(),
      failure: {
        blame,
        requirement: broken?.requirement ?? null,
        message: keep(messageOf(error, broken !== null)),
        ...keepDifference(error, keep),
        exchanges: environment === null ? [] : exchangesOf(environment, uses, broken?.exchange ?? null),
        replay: options.replay(testCase),
        ...keepOthers(broken?.others ?? [], keep),
        ...(broken?.counterexample == null ? {} : { counterexample: broken.counterexample }),
      },
      choices: recorder.choices(),
      ...attachedTo(recorder),
    }
  }
}

function attachedTo(recorder: EvidenceRecorder): Pick<CaseResult, 'attached'> {
  const attached = recorder.attached()
  return attached === undefined ? {} : { attached }
}

/**
 * Returns the last exchanges of a case, redacted, each with what it takes to send it again. They end with the one that breaks
 * the requirement, where it is known.
 */
function exchangesOf(
  environment: Environment,
  uses: Case['uses'],
  guilty: Exchange | null,
): readonly Exchange[] {
  const { transcript } = environment
  const at = guilty === null ? -1 : transcript.findLastIndex((exchange) => isSame(exchange, guilty))
  const end = at < 0 ? transcript.length : at + 1
  const from = Math.max(0, end - KEPT.exchanges)
  return transcript.slice(from, end).map((exchange, index) => ({
    ...redactKeys(exchange),
    again: againOf(exchange, transcript.slice(0, from + index), environment, uses),
    ...(from + index === at ? { guilty: true } : {}),
  }))
}

/** Returns whether two exchanges are the same: an error holds a copy of the exchange that it names. */
function isSame(one: Exchange, other: Exchange): boolean {
  const textOf = ({ request, response, timing }: Exchange) => JSON.stringify([request, response, timing])
  return textOf(one) === textOf(other)
}

function keepOthers(
  others: readonly BrokenPromise[],
  keep: (text: string) => string,
): Pick<CaseFailure, 'others'> {
  if (others.length === 0) return {}
  const kept = others.map(({ requirement, expected, actual }) => ({
    requirement,
    expected: keep(expected),
    actual: keep(actual),
  }))
  return { others: kept }
}

/** Returns expected and actual of a failure; it has both even where it does not blame the target. */
function keepDifference(
  error: unknown,
  keep: (text: string) => string,
): Pick<CaseFailure, 'expected' | 'actual'> {
  if (error instanceof PromiseBrokenError)
    return { expected: keep(error.expected), actual: keep(error.actual) }
  const expected = error instanceof BlamedError ? error.expected : 'a case that Plumbline can judge'
  return { expected, actual: keep(error instanceof Error ? error.message : String(error)) }
}

/** Adds the advice only for failures of the run: it does not help to fix the target. */
function messageOf(error: unknown, isBroken: boolean): string {
  if (!(error instanceof Error)) return String(error)
  if (!(error instanceof PlumblineError)) return error.stack ?? error.message
  return isBroken ? error.message : `${error.message}\n${error.advice}`
}

function statusOf({ exercised, notApplicable }: CaseEvidence, judged: readonly Judged[]): Status {
  if (exercised === 0) return notApplicable === undefined ? 'inconclusive' : 'not-applicable'
  const onlyObserved = judged.length > 0 && judged.every(({ passed, failed }) => passed + failed === 0)
  return onlyObserved ? 'observed' : 'pass'
}

/** Parts whose changes outlive a request: the chain, the line to it, the keys, or the service itself. */
const CHANGING: ReadonlySet<Part> = new Set<Part>(['control', 'line', 'revokeKey', 'inside'])
const BUDGET_EXHAUSTED = 429
const BEARER = /^bearer\s/i
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi

/**
 * Returns the key to send a request of a case again with, and any obstacle to sending it.
 *
 * @param exchange as it was sent, with its key
 * @param earlier the exchanges of the case before it
 * @param uses parts that the case may use in addition to HTTP
 */
export function againOf(
  { request, response }: Exchange,
  earlier: readonly Exchange[],
  environment: Pick<Environment, 'keys' | 'secret'>,
  uses: readonly Part[],
): Again {
  const { authorization } = request.headers
  const names = [...environment.keys]
  const key = names.find((name) => authorization === `Bearer ${environment.secret(name)}`) ?? null
  const namesBuild = (request.body?.match(UUID) ?? []).some((id) =>
    earlier.some((exchange) => exchange.response.body.includes(id)),
  )
  if (key === null && BEARER.test(authorization ?? '')) return { key, obstacle: 'key' }
  if (response.status === BUDGET_EXHAUSTED) return { key, obstacle: 'budget' }
  return { key, obstacle: namesBuild || uses.some((part) => CHANGING.has(part)) ? 'case' : null }
}
