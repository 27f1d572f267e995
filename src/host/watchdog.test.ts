import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundled, evaluated } from './testing/evaluated.ts'
import { removed } from './testing/removed.ts'
import { temporaryFolder } from './testing/temporaryFolder.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const SOURCES = [
  './temporary.ts',
  './marked.ts',
  '../targets/starting/spawnGroup.ts',
  '../runner/pool/workers.ts',
]
const MODULE = JSON.stringify(await bundled(...SOURCES.map((path) => new URL(path, import.meta.url))))

/** A program that only SIGKILL ends. It holds a connection, which the kernel closes when it ends. */
const STUBBORN = (port: number) =>
  `node -e "process.on('SIGTERM', () => {}); require('net').connect(${port}, '127.0.0.1').on('error', () => {})"`

const { path: folder } = temporaryFolder()
let server: Server
const held: Socket[] = []
const port = () => (server.address() as { port: number }).port
beforeAll(async () => {
  server = createServer((socket) => held.push(socket)).listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => {
  server.close()
})

/** Starts a program to be killed. Its stdout closes when no process has it open any more. */
function start(source: string): ChildProcess {
  return spawn(process.execPath, evaluated(source), {
    cwd: ROOT,
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

/** Waits for connections. @returns promises that resolve when they close. */
async function connections(count: number): Promise<{ readonly ends: readonly Promise<unknown>[] }> {
  while (held.length < count) await once(server, 'connection')
  return { ends: held.splice(0).map((socket) => once(socket.resume(), 'close')) }
}

test('SIGKILL of a process ends the groups that it started, and removes its temporary files', async () => {
  const aside = join(folder, "a side's folder")
  const child = start(`
    import { mkdirSync, writeFileSync } from 'node:fs'
    const { temporary, spawnGroup } = await import(${MODULE})
    temporary(${JSON.stringify(aside)})
    temporary(${JSON.stringify(join(folder, 'removed already'))})()
    mkdirSync(${JSON.stringify(aside)})
    writeFileSync(${JSON.stringify(join(aside, 'keys.json'))}, 'a key')
    spawnGroup('true', {}).end()
    spawnGroup(${JSON.stringify(`${STUBBORN(port())} & ${STUBBORN(port())}`)}, {})
  `)
  const { ends } = await connections(2)
  expect(existsSync(join(aside, 'keys.json'))).toBe(true)
  child.kill('SIGKILL')
  await Promise.all(ends)
  await removed(aside)
})

test.skipIf(process.platform !== 'linux')(
  'SIGKILL of a process ends the processes that it marked, in any session',
  async () => {
    const command = `setsid ${STUBBORN(port())} & setsid sh -c '${STUBBORN(port()).replaceAll("'", "'\\''")}' & sleep 0`
    const child = start(`
    const { marked, spawnGroup } = await import(${MODULE})
    marked('PLUMBLINE_DIR', ${JSON.stringify(folder)})
    spawnGroup(${JSON.stringify(command)}, { PLUMBLINE_DIR: ${JSON.stringify(folder)} })
  `)
    const { ends } = await connections(2)
    child.kill('SIGKILL')
    await Promise.all(ends)
  },
)

test('a program that was released outlives the process that started it', async () => {
  const child = start(`
    const { spawnGroup } = await import(${MODULE})
    const released = spawnGroup(${JSON.stringify(STUBBORN(port()))}, {})
    console.log(released.child.pid)
    released.release()
    spawnGroup(${JSON.stringify(STUBBORN(port()))}, {})
  `)
  const [pid] = await once(child.stdout as NodeJS.ReadableStream, 'data')
  const { ends } = await connections(2)
  child.kill('SIGKILL')
  await Promise.race(ends)
  expect(process.kill(Number(pid), 0)).toBe(true)
  process.kill(Number(pid), 'SIGKILL')
})

test('SIGKILL of a process ends its workers, in the middle of a task that never yields', async () => {
  const worker = join(folder, 'worker.mjs')
  const source = `
    import { writeFileSync } from 'node:fs'
    import { pathToFileURL } from 'node:url'
    writeFileSync(${JSON.stringify(worker)}, ${JSON.stringify('process.on("message", () => { console.log("busy"); for (;;); })')})
    const { forkWorker } = await import(${MODULE})
    void forkWorker(pathToFileURL(${JSON.stringify(worker)}), null).run(null)
  `
  const child = start(source)
  const [said] = await once(child.stdout as NodeJS.ReadableStream, 'data')
  expect(String(said)).toBe('busy\n')
  const closed = once(child, 'close')
  child.kill('SIGKILL')
  // The worker also has stdout open.
  await closed
})
