import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { bundled, evaluated } from '../host/testing/evaluated.ts'

const MODULE = await bundled(new URL('./embedded.ts', import.meta.url))
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PROGRAM = `
  import { once } from 'node:events'
  import { readdirSync } from 'node:fs'
  import pg from 'pg'
  const { withEmbeddedDatabase } = await import(${JSON.stringify(MODULE)})
  await withEmbeddedDatabase(async (url) => {
    // A listener alone does not keep a process running.
    process.stdin.resume()
    const interrupted = once(process, 'SIGINT')
    console.log('ready')
    await interrupted
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query('show data_directory')
    await client.end()
    process.stdin.destroy()
    console.log(JSON.stringify({ folder: rows[0].data_directory, files: readdirSync(rows[0].data_directory).length }))
  })
`

it.skipIf(process.platform === 'win32')('outlasts Ctrl-C until its user has ended', async () => {
  const child = spawn(process.execPath, evaluated(PROGRAM), {
    cwd: ROOT,
    // In its own process group, all of which gets the signal, as from a terminal.
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8')
    if (said === 'ready\n') process.kill(-(child.pid as number), 'SIGINT')
  })
  const [code, signal] = await once(child, 'close')
  expect({ code, signal }).toEqual({ code: 0, signal: null })
  const { folder, files } = JSON.parse(said.replace('ready\n', ''))
  expect(files).toBeGreaterThan(10)
  expect(existsSync(folder)).toBe(false)
})
