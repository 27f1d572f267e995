import { connect, type Socket } from 'node:net'
import { flood } from './flood.ts'

const MIB = 1024 * 1024
const head = (...lines: readonly string[]) =>
  ['POST / HTTP/1.1', 'host: node', 'content-type: application/json', ...lines, '', ''].join('\r\n')
const whole = (body: string, start = head(`content-length: ${body.length}`)) => `${start}${body}`
const call = (method: string) => `{"jsonrpc":"2.0","id":1,"method":"${method}","params":[]}`
const control = (body: string) =>
  whole(body, `POST /plumbline-line HTTP/1.1\r\nhost: node\r\ncontent-length: ${body.length}\r\n\r\n`)

/** Repeats bytes until the other side closes. */
const repeat = (socket: Socket, again: string) =>
  flood(socket, again.repeat(Math.ceil((64 * 1024) / again.length)))

/** Ways in which a target may abuse the connection to its chain. */
export const HOSTILE_CALLS: Readonly<Record<string, (socket: Socket) => void>> = {
  'half a request': (socket) => socket.end(`${head('content-length: 100')}{}`),
  'half a request, reset': (socket) => {
    socket.write(`${head('content-length: 100')}{}`, () => socket.resetAndDestroy())
  },
  'half a request, held open': (socket) => {
    socket.write(`${head('content-length: 100')}{}`)
  },
  'half a chunk': (socket) => socket.end(`${head('transfer-encoding: chunked')}ff\r\n{}`),
  'endless headers': (socket) => repeat(socket, 'x: y\r\n'),
  'an endless body': (socket) => {
    socket.write(head('transfer-encoding: chunked'))
    repeat(socket, `400\r\n${' '.repeat(1024)}\r\n`)
  },
  'no HTTP': (socket) => socket.end(Buffer.from(Array.from({ length: 512 }, (_, n) => n % 256))),
  'no JSON': (socket) => socket.end(whole('{"method":')),
  'no call': (socket) => socket.end(whole('null')),
  'an unknown method': (socket) => socket.end(whole(call('no_such'))),
  'a huge batch': (socket) => socket.end(whole(`[${Array(20_000).fill(call('eth_chainId')).join()}]`)),
  'a huge call': (socket) => socket.end(whole(`{"x":"${'x'.repeat(4 * MIB)}"}`)),
  'a nested call': (socket) => socket.end(whole('['.repeat(500_000) + ']'.repeat(500_000))),
  'an answer that is not awaited': (socket) => {
    socket.write(whole(call('eth_chainId')), () => socket.destroy())
  },
  'control by a word': (socket) => socket.end(control('abc')),
  'control by null': (socket) => socket.end(control('null')),
  'control by an unknown fault': (socket) => socket.end(control('{"fault":"__proto__"}')),
}

/** Makes one of these calls, by turns, and ignores its outcome. */
export function abuseLine(rpcUrl: string, turn: number): void {
  const calls = Object.values(HOSTILE_CALLS)
  const { hostname, port } = new URL(rpcUrl)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.on('connect', () => calls[turn % calls.length]?.(socket))
  socket.resume()
}
