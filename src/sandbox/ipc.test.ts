import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startAnvil } from './anvil.ts'
import { createIpcChannel, reachOverIpc, transportTo } from './ipc.ts'

const NODE = 'http://127.0.0.1:1'
const TIMEOUT_MS = 60_000

let folder: string
let server: Server
let sockets: Socket[]
let leave: () => void
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-ipc-'))
  sockets = []
  server = createServer((socket) => sockets.push(socket)).listen(join(folder, 'ipc'))
  await once(server, 'listening')
  leave = reachOverIpc(NODE, join(folder, 'ipc'))
})
afterEach(() => {
  leave()
  for (const socket of sockets) socket.destroy()
  server.close()
  rmSync(folder, { recursive: true })
})

/** Waits for data on the connection of this number. */
async function connection(index: number): Promise<{ readonly socket: Socket; readonly body: string }> {
  while (sockets[index] === undefined) await once(server, 'connection')
  const socket = sockets[index] as Socket
  const [chunk] = await once(socket, 'data')
  return { socket, body: String(chunk) }
}

it('carries a response that arrives in pieces, and keeps the connection for the next request', async () => {
  const channel = createIpcChannel(NODE, TIMEOUT_MS)
  const first = channel.send('{"id":1}')
  const { socket, body } = await connection(0)
  expect(body).toBe('{"id":1}')
  socket.write('{"id":1,"res')
  socket.write('ult":"é"}\n')
  expect(await first).toBe('{"id":1,"result":"é"}\n')
  const second = channel.send('{"id":2}')
  await connection(0)
  socket.write('{}\n')
  await second
  expect(sockets).toHaveLength(1)
  channel.close()
})

it('carries concurrent requests on separate connections', async () => {
  const channel = createIpcChannel(NODE, TIMEOUT_MS)
  const sent = Promise.all([channel.send('{"id":1}'), channel.send('{"id":2}')])
  const [one, other] = await Promise.all([connection(0), connection(1)])
  other.socket.write(`${other.body}\n`)
  one.socket.write(`${one.body}\n`)
  expect(await sent).toEqual(['{"id":1}\n', '{"id":2}\n'])
  channel.close()
})

it('rejects when the connection is closed before the response', async () => {
  const channel = createIpcChannel(NODE, TIMEOUT_MS)
  const sent = channel.send('{"id":1}')
  const { socket } = await connection(0)
  socket.end('{"id":1,')
  await expect(sent).rejects.toThrow('the connection was closed')
})

it('leaves nodes without a socket and large bodies to HTTP', () => {
  expect(createIpcChannel('http://127.0.0.1:2', TIMEOUT_MS).send('{}')).toBe(null)
  expect(createIpcChannel(NODE, TIMEOUT_MS).send(`"${'x'.repeat(40_000)}"`)).toBe(null)
})

it('reaches a node that this process started until it is stopped', async () => {
  const node = await startAnvil()
  const channel = createIpcChannel(node.url, TIMEOUT_MS)
  const answer = await channel.send('{"jsonrpc":"2.0","id":7,"method":"eth_chainId","params":[]}')
  expect(JSON.parse(answer ?? '')).toEqual({ jsonrpc: '2.0', id: 7, result: '0x1237' })
  expect(transportTo(node.url)).toBe('a local socket')
  await node.stop()
  expect(channel.send('{}')).toBe(null)
  expect(transportTo(node.url)).toBe('HTTP')
})
