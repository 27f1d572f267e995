import { errorResponseSchema } from '../../spec/wire.ts'

/** Returns the error responses of a route for the OpenAPI document: each status with its condition, all with the body `{ error }`. */
export function errorAnswers<Status extends number>(conditions: Readonly<Record<Status, string>>) {
  const described = Object.entries<string>(conditions).map(([status, condition]) => [
    status,
    errorResponseSchema.describe(condition),
  ])
  return Object.fromEntries(described) as Record<Status, typeof errorResponseSchema>
}

export const COMMON_CONDITIONS = {
  401: 'The key is missing, unknown or revoked.',
  500: 'A bug in the service. The log has the request id.',
} as const

export const WITH_KEY = [{ apiKey: [] }]
