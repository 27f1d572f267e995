import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EmbeddedServer, startEmbeddedPostgres } from '../src/host/embeddedPostgres.ts'
import { temporary } from '../src/host/temporary.ts'

/** Returns a PostgreSQL server with room for many workers. */
export async function withServer<T>(use: (server: EmbeddedServer) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-postgres-'))
  const remove = temporary(directory)
  const server = await startEmbeddedPostgres(directory)
  try {
    return await use(server)
  } finally {
    await server.stop()
    remove()
  }
}
