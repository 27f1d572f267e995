import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../host/embeddedPostgres.ts'
import { temporary } from '../host/temporary.ts'

/**
 * Calls `use` with the URL of a database that is gone with its data afterwards, and when this process is killed.
 *
 * @throws {EmbeddedPostgresError}
 */
export async function withEmbeddedDatabase<T>(use: (url: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-campaign-'))
  const remove = temporary(directory)
  try {
    const server = await startEmbeddedPostgres(directory)
    try {
      return await use(server.urlOf('postgres'))
    } finally {
      await server.stop()
    }
  } finally {
    remove()
  }
}
