import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import { EXIT } from '../runner/verdict/exitCode.ts'

const PLUMBLINE = fileURLToPath(new URL('../../bin/plumbline.mjs', import.meta.url))
const folder = temporaryFolder()

test('a run ends, and all that its target started, also in sessions of their own that keep its output open', async () => {
  const held: Socket[] = []
  const server = createServer((socket) => held.push(socket)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  // Each holds a connection, which the kernel closes with it.
  const stays = `process.on('SIGTERM', () => {}); require('net').connect(${port}, '127.0.0.1').on('error', () => {})`
  const service = folder.write(
    'service.mjs',
    `import { spawn } from 'node:child_process'
    import { createServer } from 'node:http'
    spawn(process.execPath, ['-e', ${JSON.stringify(stays)}], { detached: true, stdio: 'inherit' }).unref()
    createServer((_, response) => response.writeHead(500, { 'content-type': 'application/json' }).end('{}'))
      .listen(process.env.PORT, '127.0.0.1')`,
  )
  const target = ['--start', `"${process.execPath}" "${service}"`, '--profile', 'http']
  const only = ['--only', 'quote.route.market', '--out', folder.at('out')]
  const connected = once(server, 'connection')
  const child = spawn(process.execPath, [PLUMBLINE, 'conform', ...target, ...only], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  await connected
  const closed = held.map((socket) => once(socket.resume(), 'close'))
  expect(await ended).toEqual([EXIT['does-not-conform'], null])
  await Promise.all(closed)
  server.close()
})
