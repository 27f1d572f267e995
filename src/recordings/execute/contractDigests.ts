import { sha256 } from '../format/canonical.ts'
import * as contracts from './contracts.ts'

let digests: Readonly<Record<string, string>> | undefined

/**
 * Returns the SHA-256, in lower-case hex, of each text constant in the generated sources, `0x` included, by its name: creation
 * code, runtime code, or the hash of a pool's code.
 */
export function contractDigests(): Readonly<Record<string, string>> {
  digests ??= Object.fromEntries(
    Object.values(contracts)
      .flatMap((contract) => Object.entries<unknown>(contract))
      .flatMap(([name, code]) => (typeof code === 'string' ? [[name, sha256(code)] as const] : [])),
  )
  return digests
}
