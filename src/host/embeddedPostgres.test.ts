import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startEmbeddedPostgres } from './embeddedPostgres.ts'

it.skipIf(process.getuid?.() !== 0)(
  'says as root which folder is closed to the user that it runs as',
  async () => {
    const closed = mkdtempSync(join(tmpdir(), 'plumbline-closed-'))
    try {
      chmodSync(closed, 0o700)
      const problem = `PostgreSQL does not run as root, and ${closed}, in which its data would be, is closed to other users`
      await expect(startEmbeddedPostgres(join(closed, 'data'))).rejects.toThrow(problem)
    } finally {
      rmSync(closed, { recursive: true, force: true })
    }
  },
)
