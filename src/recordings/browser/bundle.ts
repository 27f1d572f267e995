import { readFileSync } from 'node:fs'

let known: string | undefined

/** Returns the program that verifies recordings in a page (`worker.ts` and all that it imports): compressed by zlib, in Base64. */
export function verifierForPages(): string {
  known ??= readFileSync(new URL('../../../dist/verifier.deflated', import.meta.url)).toString('base64')
  return known
}
