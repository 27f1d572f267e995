import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import { EXIT } from '../runner/verdict/exitCode.ts'

const PLUMBLINE = fileURLToPath(new URL('../../bin/plumbline.mjs', import.meta.url))
const folder = temporaryFolder()

/** Runs one case against a service that starts a process in a session of its own, and does something at each request. */
async function attack(atRequest: string): Promise<readonly unknown[]> {
  const held: Socket[] = []
  const server = createServer((socket) => held.push(socket)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  // It holds a connection, which the kernel closes with it.
  const stays = `process.on('SIGTERM', () => {}); require('net').connect(${port}, '127.0.0.1').on('error', () => {})`
  const service = folder.write(
    'service.mjs',
    `import { spawn } from 'node:child_process'
    import { createServer } from 'node:http'
    spawn(process.execPath, ['-e', ${JSON.stringify(stays)}], { detached: true, stdio: 'inherit' }).unref()
    let requests = 0
    createServer((_, response) => {
      response.writeHead(500, { 'content-type': 'application/json' }).end('{}')
      requests += 1
      ${atRequest}
    }).listen(process.env.PORT, '127.0.0.1')`,
  )
  // The shell becomes the service, whose parent is then Plumbline.
  const target = ['--start', `exec "${process.execPath}" "${service}"`, '--profile', 'http']
  const only = ['--only', 'quote.route.market', '--out', folder.at('out')]
  const connected = once(server, 'connection')
  const child = spawn(process.execPath, [PLUMBLINE, 'conform', ...target, ...only], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  await connected
  const closed = held.map((socket) => once(socket.resume(), 'close'))
  const end = await ended
  await Promise.all(closed)
  server.close()
  return end
}

test('a run ends, and all that its target started, also in sessions of their own that keep its output open', async () => {
  expect(await attack('')).toEqual([EXIT['does-not-conform'], null])
})

test.each(['SIGKILL', 'SIGTERM', 'SIGINT'])(
  'a target that sends %s to Plumbline ends the run without a verdict, and itself with all that it started',
  async (signal) => {
    expect(await attack(`if (requests > 1) process.kill(process.ppid, '${signal}')`)).toEqual([null, signal])
  },
)
