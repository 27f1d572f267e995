import { createHash } from 'node:crypto'
import type { Case } from '../cases/case.ts'

/** One of several runs that share the cases of a whole run: `{ index: 2, of: 5 }` is the second of five. */
export interface Shard {
  /** Starts at 1. */
  readonly index: number
  readonly of: number
}

/** Returns a shard as a user writes it, such as `2/5`. */
export function describeShard({ index, of }: Shard): string {
  return `${index}/${of}`
}

/**
 * Returns the ids of the cases of a shard. The id of a case decides its shard, so that adding a case moves no other one. Cases
 * of a group share work, stay together and take long: groups are dealt out in their order, one to each shard.
 *
 * @param all every existing case, not just those that a run selects.
 */
export function shardOf(
  all: readonly Pick<Case, 'id' | 'group'>[],
  { index, of }: Shard,
): ReadonlySet<string> {
  const groups = [...new Set(all.flatMap(({ group }) => group ?? []))]
  const placeOf = ({ id, group }: Pick<Case, 'id' | 'group'>) =>
    group === undefined ? createHash('sha256').update(id).digest().readUIntBE(0, 6) : groups.indexOf(group)
  return new Set(all.filter((each) => placeOf(each) % of === index - 1).map(({ id }) => id))
}
