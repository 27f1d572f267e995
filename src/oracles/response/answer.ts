/** An HTTP answer as the judges see it. */
export interface ObservedAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The parsed body; undefined when the body is empty or no JSON. */
  readonly json: unknown
}

/** Returns the body as a record; empty when it is no JSON object. */
export function bodyOf(answer: Pick<ObservedAnswer, 'json'>): Readonly<Record<string, unknown>> {
  const { json } = answer
  return typeof json === 'object' && json !== null && !Array.isArray(json)
    ? (json as Record<string, unknown>)
    : {}
}
