import { code, type Inline } from './model.ts'

/** Returns a fragment for a link, from any id. */
export function anchor(kind: 'case' | 'req' | 'failure' | 'timeline', id: string): string {
  // A lone surrogate has no encoding.
  return `${kind}-${encodeURIComponent(id.replace(/\p{Surrogate}/gu, '\ufffd'))}`
}

/** Returns references with commas between them. */
export function references(ids: readonly string[], refer: (id: string) => Inline): readonly Inline[] {
  return ids.flatMap((id, index) => (index === 0 ? [refer(id)] : [', ', refer(id)]))
}

export const caseRef = (id: string): Inline => code(id, `#${anchor('case', id)}`)
export const requirementRef = (id: string): Inline => code(id, `#${anchor('req', id)}`)
