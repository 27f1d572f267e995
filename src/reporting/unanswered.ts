import { plural } from './plural.ts'
import type { Results } from './results.ts'

const PERCENT = 100

/** Describes how many requests of a run got no response; null if all got one, or none did, as when the target is down. */
export function describeUnanswered({ requests }: Pick<Results, 'requests'>): string | null {
  if (requests === undefined) return null
  const { sent, unanswered } = requests
  if (unanswered === 0 || unanswered === sent) return null
  const rate = (PERCENT * unanswered) / sent
  const shown = rate < 1 ? rate.toPrecision(1) : String(Math.round(rate))
  return `${unanswered.toLocaleString('en')} of ${plural(sent, 'request')} got no response (${shown} %); the others did.`
}
