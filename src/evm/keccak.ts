import sha3 from 'js-sha3'
import { type Hex, hexToBytes } from 'viem'

/** Keccak-256 of some bytes: by js-sha3, which takes a third of the time of viem's and half of that of EthereumJS. */
export function keccakOfBytes(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(sha3.keccak256.arrayBuffer(bytes))
}

/** Returns the same of bytes in hex. */
export function keccak256(hex: Hex): Hex {
  return `0x${sha3.keccak256(hexToBytes(hex))}`
}
