import { membersOf } from '../../spec/json.ts'

/** An HTTP response as the judges use it. */
export interface ObservedAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The parsed body; undefined: it is empty or not JSON. */
  readonly json: unknown
}

/** Returns the body as a record; empty if it is not a JSON object. */
export function bodyOf({ json }: Pick<ObservedAnswer, 'json'>): Readonly<Record<string, unknown>> {
  return membersOf(json)
}

/** Returns the field that holds the message of a refusal, in the vocabulary of its open point. */
export function errorBodyOf(answer: Pick<ObservedAnswer, 'json'>): string {
  const body = bodyOf(answer)
  if (Object.keys(body).length === 0) return 'empty'
  if (body.type !== undefined && body.title !== undefined) return 'problem-details'
  if (body.error !== undefined) return 'error'
  return body.message === undefined ? 'other-fields' : 'message'
}
