import childProcess from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startEmbeddedPostgres } from './embeddedPostgres.ts'
import { bundled, evaluated } from './testing/evaluated.ts'
import { removed } from './testing/removed.ts'
import { replaceBuiltin } from './testing/replaceBuiltin.ts'

const MODULE = await bundled(new URL('./embeddedPostgres.ts', import.meta.url))
const ROOT = fileURLToPath(new URL('../../', import.meta.url))

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-shared-'))
  // Like the folder of temporary files: every user may enter it.
  chmodSync(folder, 0o755)
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

it.skipIf(process.getuid?.() !== 0)(
  'says as root which folder is closed to the user that it runs as',
  async () => {
    chmodSync(folder, 0o700)
    const problem = `PostgreSQL does not run as root, and ${folder}, in which its data would be, is closed to other users`
    await expect(startEmbeddedPostgres(join(folder, 'data'))).rejects.toThrow(problem)
  },
)

it.skipIf(process.platform === 'win32')(
  'keeps its password in a private folder while it is started, and nowhere afterwards',
  async () => {
    vi.stubEnv('TMPDIR', folder)
    const found: { text: string; mode: number }[] = []
    const restore = beforeEachProgram(() => found.push(...smallFiles(folder)))
    try {
      const server = await startEmbeddedPostgres(join(folder, 'data'))
      restore()
      const client = new pg.Client({ connectionString: server.urlOf('postgres') })
      await client.connect()
      const { rows } = await client.query(
        `select current_setting('listen_addresses') as listens, current_setting('unix_socket_directories') as sockets`,
      )
      await client.end()
      // Other users of this machine can neither connect nor enter.
      expect(rows).toEqual([{ listens: '', sockets: join(folder, 'data') }])
      expect((statSync(join(folder, 'data')).mode & 0o777).toString(8)).toBe('700')
      await server.stop()
      const { password } = new URL(server.urlOf('postgres'))
      const modes = found.filter(({ text }) => text.includes(password)).map(({ mode }) => mode.toString(8))
      expect(new Set(modes)).toEqual(new Set(['700']))
      expect(readdirSync(folder)).toEqual(['data'])
    } finally {
      restore()
      vi.unstubAllEnvs()
    }
  },
)

it.skipIf(process.platform === 'win32')('says which folder is too long for its socket', async () => {
  const long = join(folder, 'x'.repeat(100))
  await expect(startEmbeddedPostgres(long)).rejects.toThrow('cannot be the path of a socket')
  expect(readdirSync(folder)).toEqual([])
})

it.skipIf(process.platform === 'win32')(
  'leaves no password behind when this process is killed before the database is created',
  async () => {
    const program = `
      import childProcess from 'node:child_process'
      import { readdirSync } from 'node:fs'
      import { syncBuiltinESMExports } from 'node:module'
      const { startEmbeddedPostgres } = await import(${JSON.stringify(MODULE)})
      const { spawn } = childProcess
      childProcess.spawn = (...given) => {
        if (!given.slice(0, 2).join(' ').includes('initdb')) return spawn(...given)
        const kept = readdirSync(process.env.TMPDIR).find((name) => name.includes('password'))
        process.stdout.write(kept, () => process.kill(process.pid, 'SIGKILL'))
        return spawn('true', [])
      }
      syncBuiltinESMExports()
      await startEmbeddedPostgres(${JSON.stringify(join(folder, 'data'))})
    `
    const child = childProcess.spawn(process.execPath, evaluated(program), {
      cwd: ROOT,
      env: { ...process.env, TMPDIR: folder },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [[name]] = await Promise.all([once(child.stdout, 'data'), once(child, 'exit')])
    await removed(join(folder, String(name)))
  },
)

/** Calls `look` before any module of this process starts a program. @returns a function that restores `spawn`. */
function beforeEachProgram(look: () => void): () => void {
  const { spawn } = childProcess
  const looking = (...given: Parameters<typeof spawn>) => {
    look()
    return spawn(...given)
  }
  return replaceBuiltin(childProcess, { spawn: looking as typeof spawn })
}

/** Returns the small files in a folder and its subfolders, each with the mode of its top-level entry. */
function smallFiles(shared: string): { text: string; mode: number }[] {
  return readdirSync(shared).flatMap((name) => {
    const path = join(shared, name)
    const entry = statSync(path)
    const files = entry.isFile() ? [path] : readdirSync(path).map((inner) => join(path, inner))
    return files
      .filter((file) => statSync(file).isFile() && statSync(file).size < SMALL_BYTES)
      .map((file) => ({ text: readFileSync(file, 'utf8'), mode: entry.mode & 0o777 }))
  })
}

const SMALL_BYTES = 1_000
