import { type Drafts, only, positioned } from '../format/drafts.ts'
import { check } from './errors.ts'

type Op = 'revoke-key' | 'spend-budget'

/**
 * Checks that the states of key and budget in every report follow from the steps of a simulation: a key is revoked after a step
 * revoked it, and a budget is not certainly left after a step spent it.
 *
 * @throws {ContradictionError} a state contradicts the steps.
 */
export function checkKeys(entries: Drafts): void {
  const requests = positioned(entries, 'http')
  const changes = changesOf(entries)
  const ends = new Map(positioned(entries, 'step').map(([at, { path }]) => [path, at]))
  for (const [at, { http, moments }] of positioned(entries, 'report')) {
    const [sentAt, request] = requests[http] ?? []
    if (sentAt === undefined || request === undefined) continue
    const endAt = ends.get(request.step.split('/')[0] ?? '') ?? entries.length
    const isPossible = (op: Op) => changes.some((change) => change.op === op && change.at <= endAt)
    const isDone = (op: Op) =>
      changes.some((change) => change.op === op && change.at < sentAt && change.key === request.key?.id)
    for (const [index, { key, budget }] of moments.entries()) {
      const isRevoked = key === 'revoked'
      const isKey = isRevoked ? isPossible('revoke-key') : !isDone('revoke-key')
      check(isKey, at, `moments.${index}.key`, `${key}, and the steps say otherwise`)
      const isBudget = budget === 'left' ? !isDone('spend-budget') : isPossible('spend-budget')
      check(isBudget, at, `moments.${index}.budget`, `${budget}, and the steps say otherwise`)
    }
  }
}

/** A step that revoked a key or spent its budget, with the position of its end. */
interface Change {
  readonly at: number
  readonly op: Op
  /** The id of the key; null: the step ran within a request, and only its kind is known. */
  readonly key: string | null
}

function changesOf(entries: Drafts): readonly Change[] {
  const [, { steps }] = only(entries, 'script')
  return positioned(entries, 'step').flatMap(([at, { path, op }]) => {
    if (op !== 'revoke-key' && op !== 'spend-budget') return []
    const { key } = (steps[Number(path)] ?? {}) as { readonly key?: unknown }
    return [{ at, op, key: typeof key === 'string' ? `key-${key}` : null }]
  })
}
