import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import { EXIT } from '../runner/verdict/exitCode.ts'

const PLUMBLINE = fileURLToPath(new URL('../../bin/plumbline.mjs', import.meta.url))
const folder = temporaryFolder()

/**
 * Runs a command whose program starts a process in its own session, and then runs `source`.
 *
 * @returns the exit code and signal of the command, once that process has ended as well.
 */
async function runWith(
  source: string,
  argv: (start: string) => readonly string[],
): Promise<readonly unknown[]> {
  const held: Socket[] = []
  const server = createServer((socket) => held.push(socket)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  // It holds a connection, which the kernel closes when it ends.
  const stays = `process.on('SIGTERM', () => {})
    const begun = () => { process.send('begun'); process.disconnect() }
    require('net').connect(${port}, '127.0.0.1', begun).on('error', () => {})`
  const program = folder.write(
    'program.mjs',
    `import { spawn } from 'node:child_process'
    import { once } from 'node:events'
    import { createServer } from 'node:http'
    const stdio = ['inherit', 'inherit', 'inherit', 'ipc']
    const stays = spawn(process.execPath, ['-e', ${JSON.stringify(stays)}], { detached: true, stdio })
    stays.unref()
    await once(stays, 'message')
    ${source}`,
  )
  const connected = once(server, 'connection')
  // The program replaces the shell, so its parent is Plumbline.
  const words = argv(`exec "${process.execPath}" "${program}"`)
  const child = spawn(process.execPath, [PLUMBLINE, ...words, '--out', folder.at('out')], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  await connected
  const closed = held.map((socket) => once(socket.resume(), 'close'))
  const end = await ended
  await Promise.all(closed)
  server.close()
  return end
}

/** Runs one case against a service that runs `atRequest` at each request. */
function attack(atRequest: string): Promise<readonly unknown[]> {
  return runWith(
    `let requests = 0
    createServer((_, response) => {
      response.writeHead(500, { 'content-type': 'application/json' }).end('{}')
      requests += 1
      ${atRequest}
    }).listen(process.env.PORT, '127.0.0.1')`,
    (start) => ['conform', '--start', start, '--profile', 'http', '--only', 'quote.route.market'],
  )
}

test('a run ends, and so does everything that its target started, even in other sessions that keep its output open', async () => {
  expect(await attack('')).toEqual([EXIT['does-not-conform'], null])
})

test('a target that kills Plumbline ends the run without a verdict, and itself with all that it started', async () => {
  const kills = `if (requests > 1) process.kill(process.ppid, 'SIGKILL')`
  expect(await attack(kills)).toEqual([null, 'SIGKILL'])
})

test('a run of a client ends, and so does everything that the client started', async () => {
  const argv = (start: string) => ['client', '--start', start, '--only', 'client.swap.venue_a']
  const end = await runWith('process.exit(1)', argv)
  expect(end).toEqual([EXIT.inconclusive, null])
})

test('a finished command ends its process, even if something is left open', async () => {
  const left = "(await import('node:net')).createServer().listen(0, '127.0.0.1')"
  const words = ['--import', `data:text/javascript,${encodeURIComponent(left)}`, PLUMBLINE, 'list']
  const child = spawn(process.execPath, words, { stdio: 'ignore' })
  expect(await once(child, 'exit')).toEqual([EXIT.conforms, null])
})
