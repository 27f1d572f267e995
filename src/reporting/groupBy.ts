/** Members of a list with the same key; at least one. */
export type Group<Member> = readonly [Member, ...Member[]]

/** Counts each member of a list, in the order in which they first occur. */
export function countEach<Member>(members: Iterable<Member>): ReadonlyMap<Member, number> {
  const counts = new Map<Member, number>()
  for (const member of members) counts.set(member, (counts.get(member) ?? 0) + 1)
  return counts
}

/** Groups the members of a list by key, in the order in which the keys first occur. */
export function groupBy<Member, Key>(
  members: Iterable<Member>,
  keyOf: (member: Member) => Key,
): ReadonlyMap<Key, Group<Member>> {
  const groups = new Map<Key, [Member, ...Member[]]>()
  for (const member of members) {
    const key = keyOf(member)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [member])
    else group.push(member)
  }
  return groups
}
