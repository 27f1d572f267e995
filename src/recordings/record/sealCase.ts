import type { z } from 'zod'
import { type Redact, redactData } from '../../spec/secrets/redact.ts'
import { BlobTable, resolveBlob } from '../format/blobs.ts'
import type { Draft, DraftOf } from '../format/drafts.ts'
import type { Recording } from '../format/schema.ts'
import type { caseResult } from '../format/schemaOutside.ts'
import { judgeRecording } from '../verify/judgeRecording.ts'
import { recordedHistory } from '../verify/recordedReports.ts'
import { describePrograms } from './environment.ts'
import type { TappedCase } from './outsideTap.ts'
import { REDACTED_KEY } from './recorder.ts'
import { explicit, sealWithout } from './sealed.ts'

/** The result of a case for its recording. */
export interface EndedCase extends z.output<typeof caseResult> {
  readonly id: string
  readonly seed: number
  /** True if deviations from conventions counted as failures. */
  readonly strict: boolean
  /** A text to include, which proves that the recording was not made before; null: none. */
  readonly nonce: string | null
  /** Expectation and actual result of a failure; null: nothing failed. */
  readonly expected: string | null
  readonly actual: string | null
}

/**
 * Judges the recording of a case by its own contents alone, and seals it.
 *
 * @param secrets texts that the recording must not hold.
 * @throws {RecordingLeakError} a secret would be written.
 */
export function sealCase(tapped: TappedCase, ended: EndedCase, secrets: readonly string[]): Recording {
  const { recorder, reports, client, steps, target, manifest, genesis, absent } = tapped
  const { id, seed, status, requirement, strict, nonce, expected, actual } = ended
  const capabilities = [...target.capabilities].sort()
  const blobs = new BlobTable()
  const shown = redactorFor(target.redact, recorder.blobs.all(), blobs)
  const { path, fields } = target.partnerReport
  const partnerReport = target.capabilities.has('partner-report') ? { path, fields: { ...fields } } : null
  const outside = { profile: target.reach, capabilities, strict, absent: [...absent] }
  const optional = { ...(partnerReport && { partnerReport }), ...(nonce === null ? {} : { nonce }) }
  const facts: Draft[] = [
    { ...manifest, outside: { ...outside, ...optional } },
    genesis,
    { kind: 'script', name: id, seed, steps: steps.map((step) => explicit(step as never)) },
    ...recorder.entries.map(shown),
    ...reports,
    ...(client === null ? [] : [redactData(client, target.redact)]),
    {
      kind: 'outcome',
      ended: status === 'fail' ? 'unexpected' : isDone(status) ? 'as-expected' : 'not-run',
      path: null,
      expected: expected === null ? null : target.redact(expected),
      actual: actual === null ? null : target.redact(actual),
      unmetFaults: 0,
      case: { status, requirement },
    },
  ]
  const judged = judgeRecording(facts, recordedHistory(facts))
  return sealWithout(secrets, [...facts, ...judged.map(shown), describePrograms()], blobs.all())
}

const isDone = (status: EndedCase['status']) => ['pass', 'observed', 'not-applicable'].includes(status)

/** Removes secrets from everything that a service wrote or read. Blocks contain none. */
function redactorFor(redact: Redact, from: Recording['blobs'], into: BlobTable): (entry: Draft) => Draft {
  const value = (each: unknown) => into.put(redactData(resolveBlob(from, each), redact))
  const texts = (named: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(named).map(([name, text]) => [redact(name), redactHeader(text, redact)]),
    )
  return (entry) => {
    if (entry.kind === 'control') return { ...entry, params: value(entry.params) }
    if (entry.kind === 'verdicts') return redactData(entry, redact, OURS)
    if (entry.kind === 'rpc') {
      const calls = entry.calls.map(({ method, params }) => ({
        method: redact(method),
        params: value(params),
      }))
      return { ...entry, calls, replies: entry.replies?.map(value) ?? null }
    }
    if (entry.kind !== 'http') return entry
    return { ...entry, ...redactHttp(entry, redact, texts) }
  }
}

function redactHttp(
  { path, headers, body, answer }: DraftOf<'http'>,
  redact: Redact,
  texts: (named: Readonly<Record<string, string>>) => Record<string, string>,
): Pick<DraftOf<'http'>, 'path' | 'headers' | 'body' | 'answer'> {
  return {
    path: redact(path),
    headers: texts(headers),
    body: body === null ? null : redact(body),
    answer: answer && { ...answer, headers: texts(answer.headers), body: redact(answer.body) },
  }
}

/** Keeps the recorder's own replacement of a key. */
function redactHeader(text: string, redact: Redact): string {
  return text === REDACTED_KEY ? text : redact(text)
}

/** Members of a verdict whose texts do not come from the service. */
const OURS: ReadonlySet<string> = new Set(['kind', 'requirement', 'outcome'])
