import { type Block, code, type Item, list, paragraph, strong, type Tone, terms } from '../document/model.ts'
import { caseRef } from '../document/references.ts'
import { excerptsOf } from '../excerptsOf.ts'
import type { ReportChange } from '../report/model.ts'

/** Returns how the cases ended in comparison with another run, the worst first. @param most number of cases of each kind. */
export function changeBlocks(change: ReportChange, most: number): readonly Block[] {
  const kinds: readonly (readonly [name: string, ids: readonly string[], tone?: Tone])[] = [
    ['new failures', change.newFailures, 'bad'],
    ['fail in another way', change.failsDifferently, 'bad'],
    ['no longer excused', change.noLongerExcused, 'bad'],
    ['no longer conclusive', change.newlyInconclusive, 'open'],
    ['gone', change.vanished, 'open'],
    ['excused by the baseline now', change.newlyExcused, 'open'],
    ['fixed', change.fixed, 'good'],
    ['new cases', change.added],
  ]
  const changed = kinds.filter(([, ids]) => ids.length > 0)
  const against = [`compared with `, code(change.against)]
  const groups = [
    ...changed.map(([name, ids, tone]) => {
      const items = ids.map((id): Item => [caseRef(id)])
      return group(name, items, most, tone)
    }),
    ...pointGroups(change, most),
  ]
  return [
    paragraph(...against, changed.length === 0 ? ': every case ended as it did' : ':'),
    ...(groups.length === 0 ? [] : [list(groups)]),
  ]
}

function group(name: string, items: readonly Item[], most: number, tone?: Tone): Item {
  return { blocks: [paragraph(strong(name, tone), `: ${items.length}`), within(items, most)] }
}

/** Returns the open points that the service answers differently, which is never worse; empty if there are none. */
function pointGroups({ changedPoints }: ReportChange, most: number): readonly Item[] {
  if (changedPoints.length === 0) return []
  const items = changedPoints.map(
    ({ point, before, after }): Item => [code(point), ': ', code(before), ' → ', code(after)],
  )
  return [group('open points answered otherwise', items, most, 'open')]
}

/** Returns the cases that ended the same way with other evidence; empty if there are none. @param isFull true: nothing is cut. */
export function evidenceBlocks(
  { changedEvidence }: ReportChange,
  most: number,
  isFull: boolean,
): readonly Block[] {
  if (changedEvidence.length === 0) return []
  return [
    within(
      changedEvidence.map(({ id, ...values }) => ({
        blocks: [paragraph(caseRef(id)), beforeAndAfter(values, 'now', isFull)],
      })),
      most,
    ),
  ]
}

/** Returns two values, cut to their first difference. @param isFull true: nothing is cut. */
export function beforeAndAfter(
  { before, after }: { readonly before: string; readonly after: string },
  later: 'after' | 'now',
  isFull: boolean,
): Block {
  const [was, is] = isFull ? [before, after] : excerptsOf(before, after)
  return terms([
    ['before', was],
    [later, is],
  ])
}

function within(items: readonly Item[], most: number): Block {
  const rest = items.length - most
  return list(rest > 0 ? [...items.slice(0, most), `and ${rest} more`] : items)
}
