import type { CaseRow } from './results.ts'

/** What the message of a failure that blames no target says after what there was: what to do, or where the error came from. */
export function adviceOf({
  requirement,
  message,
  actual,
}: NonNullable<CaseRow['failure']>): readonly string[] {
  if (requirement !== null) return []
  const rest = message.startsWith(actual) ? message.slice(actual.length) : `\n${message}`
  return rest.split('\n').filter((line) => line.trim() !== '')
}
