import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'

/** Messages for bodies that the framework refuses before any schema is applied. */
const BODY_PROBLEMS: Readonly<Record<string, string>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'must be sent with the content type application/json',
  FST_ERR_CTP_BODY_TOO_LARGE: 'is too large',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'must be a JSON object',
  FST_ERR_CTP_INVALID_JSON_BODY: 'is not valid JSON',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'is not as long as its content-length',
}

/**
 * Returns the message for a request that a schema, the framework or one of its plugins refused, with each field named once; null for any other error.
 * §7 has only 400 for malformed input, so a wrong content type and an oversized body are 400 too.
 */
export function describeBadRequest(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if (hasZodFastifySchemaValidationErrors(error)) {
    const problems = new Map<string, string>()
    for (const { instancePath, message } of error.validation) {
      const field = instancePath.slice(1) || 'body'
      if (!problems.has(field)) problems.set(field, message ?? 'is invalid')
    }
    return [...problems].map(([field, problem]) => `${field}: ${problem}`).join('; ')
  }
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown }
  const problem = BODY_PROBLEMS[String(code)]
  if (problem !== undefined) return `body: ${problem}`
  if (typeof statusCode !== 'number' || statusCode < 400 || statusCode >= 500) return null
  const isFramework = String(code).startsWith('FST_ERR_')
  return `request: ${isFramework ? error.message : 'its address or one of its headers cannot be served'}`
}
