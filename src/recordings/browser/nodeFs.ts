/** As much of `node:fs` as is bundled into a page, which has no files: what would read one is never called there. */
export function existsSync(): boolean {
  return false
}

/** @throws {RangeError} always. */
export function readFileSync(path: URL): never {
  throw new RangeError(`the verifier of a page reads no files: ${path}`)
}
