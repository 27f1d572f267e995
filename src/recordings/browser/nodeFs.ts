/** Replaces that of `node:fs` in a page, which has no files. */
export function existsSync(): boolean {
  return false
}

/** Never called in a page. @throws {RangeError} always. */
export function readFileSync(path: URL): never {
  throw new RangeError(`the verifier of a page reads no files: ${path}`)
}
