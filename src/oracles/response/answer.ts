import { membersOf } from '../../spec/json.ts'

/** An HTTP answer as the judges see it. */
export interface ObservedAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The parsed body; undefined when the body is empty or no JSON. */
  readonly json: unknown
}

/** Returns the body as a record; empty when it is no JSON object. */
export function bodyOf({ json }: Pick<ObservedAnswer, 'json'>): Readonly<Record<string, unknown>> {
  return membersOf(json)
}

/** Returns which field of a refusal has its message, in the words of its open point. */
export function errorBodyOf(answer: Pick<ObservedAnswer, 'json'>): string {
  const body = bodyOf(answer)
  if (Object.keys(body).length === 0) return 'empty'
  if (body.type !== undefined && body.title !== undefined) return 'problem-details'
  if (body.error !== undefined) return 'error'
  return body.message === undefined ? 'other-fields' : 'message'
}
