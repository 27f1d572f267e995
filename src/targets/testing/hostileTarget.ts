import { type AddressInfo, createServer, type Socket } from 'node:net'
import { HOSTILE_ANSWERS, type HostileAnswer } from './hostileAnswers.ts'

export type HostileMode = keyof typeof HOSTILE_ANSWERS

export interface HostileTarget {
  readonly url: string
  stop(): Promise<void>
}

/** Longer than the head of any request of the suite. */
const HEAD_CHARACTERS_MAX = 1024 * 1024

/**
 * Starts a target that reads the head of each request and gives a hostile response, whatever the request is. Nothing that a
 * client does to its connection ends it.
 *
 * @param modeNow returns the response for this request.
 */
export async function startHostileTarget(modeNow: () => HostileMode, port = 0): Promise<HostileTarget> {
  const open = new Set<Socket>()
  let requests = 0
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    socket.on('error', () => {})
    let head = ''
    const read = (chunk: Buffer) => {
      head += chunk.toString('latin1')
      if (!head.includes('\r\n\r\n') && head.length < HEAD_CHARACTERS_MAX) return
      socket.off('data', read)
      socket.resume()
      const [, target = ''] = head.split(' ', 2)
      const [, authorization = ''] = head.match(/\r\nauthorization: ([^\r\n]*)/i) ?? []
      const answer: HostileAnswer = HOSTILE_ANSWERS[modeNow()]
      answer(socket, { index: requests, target, authorization, open: [...open] })
      requests += 1
    }
    socket.on('data', read)
  })
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        for (const socket of open) socket.destroy()
        server.close(() => resolve())
      }),
  }
}
