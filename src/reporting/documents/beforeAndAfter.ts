import { type Block, terms } from '../document/model.ts'
import { excerptsOf } from '../excerptsOf.ts'

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
