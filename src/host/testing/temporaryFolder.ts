import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll } from 'vitest'

/** The temporary folder of a test file. */
export interface TemporaryFolder {
  readonly path: string
  at(...names: readonly string[]): string
  /** Writes a file and creates its folders: text as it is, anything else as JSON. @returns its path. */
  write(name: string, content: unknown): string
  read(...names: readonly string[]): string
}

/** Makes a folder that is removed after the last test of the file. */
export function temporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), 'plumbline-test-'))
  const at = (...names: readonly string[]) => join(path, ...names)
  afterAll(() => rmSync(path, { recursive: true, force: true }))
  return {
    path,
    at,
    write: (name, content) => {
      mkdirSync(dirname(at(name)), { recursive: true })
      writeFileSync(at(name), typeof content === 'string' ? content : JSON.stringify(content))
      return at(name)
    },
    read: (...names) => readFileSync(at(...names), 'utf8'),
  }
}
