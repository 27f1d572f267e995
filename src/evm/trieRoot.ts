import { concatBytes, type Hex, hexToBytes, keccak256, toHex, toRlp } from 'viem'

type Nibbles = readonly number[]
/** A node as RLP takes it: bytes, or a list of nodes. */
type Node = Hex | readonly Node[]
interface Leaf {
  readonly path: Nibbles
  readonly value: Hex
}

/**
 * The root of the Merkle Patricia trie that Ethereum keeps over a list: each item under the RLP of its position (yellow
 * paper, appendix D). A block commits to its transactions and its receipts by two such roots.
 */
export function trieRoot(items: readonly Hex[]): Hex {
  return rootOf(items.map((value, index) => ({ key: toRlp(toHex(positionBytes(index))), value })))
}

/** The root of the trie with these keys, no two of them equal. */
export function rootOf(items: readonly { readonly key: Hex; readonly value: Hex }[]): Hex {
  const leaves = items.map(({ key, value }) => ({ path: nibblesOf(key), value }))
  return keccak256(toRlp(leaves.length === 0 ? '0x' : nodeOf(leaves)))
}

/** RLP writes zero as no bytes at all. */
function positionBytes(index: number): Uint8Array {
  return index === 0 ? new Uint8Array() : hexToBytes(toHex(index))
}

function nibblesOf(hex: Hex): Nibbles {
  return [...hex.slice(2)].map((digit) => Number.parseInt(digit, 16))
}

function nodeOf(leaves: readonly Leaf[]): Node {
  const [first] = leaves
  if (first === undefined) return '0x'
  if (leaves.length === 1) return [packed(first.path, true), first.value]
  const shared = sharedLength(leaves)
  if (shared > 0) {
    const rest = leaves.map(({ path, value }) => ({ path: path.slice(shared), value }))
    return [packed(first.path.slice(0, shared), false), referenceTo(nodeOf(rest))]
  }
  const branches = Array.from({ length: 16 }, (_, digit): Node => {
    const below = leaves.filter(({ path }) => path[0] === digit)
    if (below.length === 0) return '0x'
    return referenceTo(nodeOf(below.map(({ path, value }) => ({ path: path.slice(1), value }))))
  })
  const here = leaves.find(({ path }) => path.length === 0)
  return [...branches, here?.value ?? '0x']
}

function sharedLength(leaves: readonly Leaf[]): number {
  const [first, ...others] = leaves as readonly [Leaf, ...Leaf[]]
  const differs = first.path.findIndex((digit, at) => others.some(({ path }) => path[at] !== digit))
  return differs === -1 ? first.path.length : differs
}

/** A short node stands in its parent itself, a longer one by its hash. */
function referenceTo(node: Node): Node {
  const encoded = toRlp(node as never) as Hex
  return (encoded.length - 2) / 2 < 32 ? node : keccak256(encoded)
}

/** Hex-prefix encoding: a leading digit says whether the path ends here and whether its length is odd. */
function packed(path: Nibbles, ends: boolean): Hex {
  const flag = ends ? 2 : 0
  const digits = path.length % 2 === 0 ? [flag, 0, ...path] : [flag + 1, ...path]
  const bytes = Array.from({ length: digits.length / 2 }, (_, index) => {
    const [high = 0, low = 0] = digits.slice(2 * index, 2 * index + 2)
    return Uint8Array.of(high * 16 + low)
  })
  return toHex(concatBytes(bytes))
}
