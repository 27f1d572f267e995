import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../host/embeddedPostgres.ts'
import { removeIfKilled } from '../host/watchdog.ts'

/**
 * Calls `use` with the URL of a database that is gone with its data afterwards, and when this process is killed.
 *
 * @throws {EmbeddedPostgresError}
 */
export async function withEmbeddedDatabase<T>(use: (url: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-campaign-'))
  // A signal ends the campaign after the ranges in hand, and they need the server: nothing is removed before it has ended.
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
