import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../host/embeddedPostgres.ts'
import { removeIfKilled } from '../host/watchdog.ts'

/**
 * Calls `use` with the URL of a database that is removed with its data afterwards, or when this process is killed.
 *
 * @throws {EmbeddedPostgresError}
 */
export async function withEmbeddedDatabase<T>(use: (url: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-campaign-'))
  // After a signal, the current ranges still need the server: nothing is removed before the campaign has ended.
  const forget = removeIfKilled(directory)
  try {
    const server = await startEmbeddedPostgres(directory)
    try {
      return await use(server.urlOf('postgres'))
    } finally {
      await server.stop()
    }
  } finally {
    await rm(directory, { recursive: true, force: true })
    forget()
  }
}
