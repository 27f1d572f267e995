import { readFileSync } from 'node:fs'

let known: string | undefined

/** Returns the program that verifies recordings in a page (`worker.ts` and all that it imports): compressed by zlib, in Base64. */
export function verifierForPages(): string {
  known ??= readFileSync(new URL('../../../dist/verifier.deflated', import.meta.url)).toString('base64')
  return known
}

/** Returns a line for each package that the program holds: its version, its licence, and where its sources are. */
export function licencesOfVerifier(): readonly string[] {
  const file = new URL('../../../dist/verifier.licences', import.meta.url)
  return readFileSync(file, 'utf8').trimEnd().split('\n')
}
