import { resolveBlob } from '../format/blobs.ts'
import type { Draft } from '../format/drafts.ts'
import type { Recording } from '../format/schema.ts'

const BODY_CHARACTERS = 160

/** Returns one entry in one line, as a person follows a run. */
export function describeEntry(entry: Draft, blobs: Recording['blobs']): string {
  switch (entry.kind) {
    case 'http': {
      const { step, method, path, body, answer } = entry
      const asked = `${method} ${short(path)}${body === null ? '' : ` ${short(body)}`}`
      const given = answer === null ? 'no answer' : `${answer.status} ${short(answer.body)}`
      return `step ${step}: ${asked} -> ${given}`
    }
    case 'rpc': {
      const calls = entry.calls.map(({ method, params }) => {
        const [first] = resolveBlob(blobs, params) as readonly unknown[]
        return typeof first === 'string' ? `${method} ${first}` : method
      })
      return `round trip: ${calls.join(', ')}${entry.fault === null ? '' : ` (${entry.fault})`}`
    }
    case 'step':
      return `step ${entry.path} (${entry.op}) ended at block ${entry.head.number}`
    case 'block':
      return `block ${entry.number} ${entry.blockHash}, ${entry.transactions.length} transactions`
    case 'store-fault':
      return `the store's ${entry.method} failed: ${entry.error}`
    case 'timer':
      return `a timer fell due at ${entry.dueMs}`
    case 'report':
      return `report of request ${entry.http}`
    case 'outcome':
      return `outcome: ${entry.ended}${entry.path === null ? '' : ` at step ${entry.path}`}`
    case 'verdicts':
      return `${entry.verdicts.length} verdicts on ${entry.http === null ? 'the reports' : `request ${entry.http}`}`
    default:
      return entry.kind
  }
}

function short(text: string): string {
  return text.length > BODY_CHARACTERS ? `${text.slice(0, BODY_CHARACTERS)}…` : text
}
