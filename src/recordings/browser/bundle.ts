import { readFileSync } from 'node:fs'

let known: string | undefined

/** Returns the program that verifies recordings in a page (`worker.ts` and its imports), compressed by zlib, in Base64. */
export function verifierForPages(): string {
  known ??= readFileSync(new URL('../../../dist/verifier.deflated', import.meta.url)).toString('base64')
  return known
}

/** Returns a line for each package in the program, with its version, licence and source address. */
export function licencesOfVerifier(): readonly string[] {
  const file = new URL('../../../dist/verifier.licences', import.meta.url)
  return readFileSync(file, 'utf8').trimEnd().split('\n')
}
