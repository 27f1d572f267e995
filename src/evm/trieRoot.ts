import { type Hex, hexToBytes, toHex, toRlp } from 'viem'
import { keccak256 } from './keccak.ts'
import { rlpBytes, rlpList } from './rlp.ts'

/** Hexadecimal digits without `0x`. */
interface Leaf {
  readonly path: string
  readonly value: string
}

const DIGITS = [...'0123456789abcdef']
const NOTHING = rlpBytes('')
/** RLP prefix of a 32-byte hash. */
const HASH_PREFIX = 'a0'
const HASH_DIGITS = 64
/** Number of nodes in the cache: most nodes of a block are those of its parent. */
const MOST_NODES = 20_000

const references = new Map<string, string>()

/**
 * Returns the root of Ethereum's Merkle Patricia trie over a list: each item under the RLP of its position (yellow paper,
 * appendix D). A block commits to its transactions and its receipts by two such roots.
 */
export function trieRoot(items: readonly Hex[]): Hex {
  return rootOf(items.map((value, index) => ({ key: toRlp(toHex(positionBytes(index))), value })))
}

/** Returns the root of the trie with these keys, no two of them equal. Lower-case hex. */
export function rootOf(items: readonly { readonly key: Hex; readonly value: Hex }[]): Hex {
  const leaves = items
    .map(({ key, value }) => ({ path: key.slice(2), value: value.slice(2) }))
    .sort((one, other) => (one.path < other.path ? -1 : 1))
  return keccak256(`0x${leaves.length === 0 ? NOTHING : nodeOf(leaves, 0)}`)
}

/** RLP encodes zero as no bytes. */
function positionBytes(index: number): Uint8Array {
  return index === 0 ? new Uint8Array() : hexToBytes(toHex(index))
}

/** Returns the RLP of the node over one or more leaves, sorted by path; their paths agree before `depth`. */
function nodeOf(leaves: readonly Leaf[], depth: number): string {
  const [first, last] = [leaves[0], leaves.at(-1)] as [Leaf, Leaf]
  if (leaves.length === 1) return rlpList([packed(first.path.slice(depth), true), rlpBytes(first.value)])
  let end = depth
  while (end < first.path.length && first.path[end] === last.path[end]) end += 1
  if (end > depth)
    return rlpList([packed(first.path.slice(depth, end), false), referenceTo(nodeOf(leaves, end))])
  const endsHere = first.path.length === depth
  let from = endsHere ? 1 : 0
  const branches = DIGITS.map((digit) => {
    let to = from
    while (leaves[to]?.path[depth] === digit) to += 1
    const below = leaves.slice(from, to)
    from = to
    return below.length === 0 ? NOTHING : referenceTo(nodeOf(below, depth + 1))
  })
  return rlpList([...branches, endsHere ? rlpBytes(first.value) : NOTHING])
}

/** Returns a short node itself, to be embedded in its parent, and a longer one's hash. */
function referenceTo(node: string): string {
  if (node.length < HASH_DIGITS) return node
  const known = references.get(node)
  if (known !== undefined) return known
  const reference = `${HASH_PREFIX}${keccak256(`0x${node}`).slice(2)}`
  if (references.size >= MOST_NODES) references.clear()
  references.set(node, reference)
  return reference
}

/** Hex-prefix encoding: the leading digit encodes whether the path ends here and whether its length is odd. */
function packed(path: string, ends: boolean): string {
  const flag = ends ? 2 : 0
  return rlpBytes(path.length % 2 === 0 ? `${flag}0${path}` : `${flag + 1}${path}`)
}
