/** Members of a list that have something in common. */
export type Group<Member> = readonly [Member, ...Member[]]

/** Returns how often each member is in a list, in the order in which they occur first. */
export function countEach<Member>(members: Iterable<Member>): ReadonlyMap<Member, number> {
  const counts = new Map<Member, number>()
  for (const member of members) counts.set(member, (counts.get(member) ?? 0) + 1)
  return counts
}

/** Returns the members of a list by their keys, in the order in which the keys occur first. */
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
