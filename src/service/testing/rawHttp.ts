import { once } from 'node:events'
import net from 'node:net'

/** One response as received. Header names are lower-case. */
export interface RawResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * Sends bytes that no HTTP client would send, and reads until the service closes the connection.
 *
 * @param bytes each character is one byte.
 */
export async function exchange(url: string, bytes: string): Promise<readonly RawResponse[]> {
  const socket = net.connect(Number(new URL(url).port), '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  // Bytes received before a reset count; the close event follows it.
  socket.on('error', () => undefined)
  socket.write(bytes, 'latin1')
  await once(socket, 'close')
  return readResponses(Buffer.concat(chunks).toString('latin1'))
}

/** @throws {TypeError} the text is not a sequence of responses with a content length each. */
function readResponses(text: string): readonly RawResponse[] {
  const responses: RawResponse[] = []
  for (let rest = text; rest !== ''; ) {
    const end = rest.indexOf('\r\n\r\n')
    const [statusLine = '', ...lines] = rest.slice(0, Math.max(end, 0)).split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1])
    const headers = Object.fromEntries(
      lines.map((line) => [line.split(':', 1)[0]?.toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    ) as Record<string, string>
    const start = end + 4
    const length = status === 100 ? 0 : Number(headers['content-length'])
    if (end < 0 || Number.isNaN(status) || Number.isNaN(length) || rest.length < start + length) {
      throw new TypeError(`no HTTP response with a length: ${JSON.stringify(rest.slice(0, 200))}`)
    }
    responses.push({ status, headers, body: rest.slice(start, start + length) })
    rest = rest.slice(start + length)
  }
  return responses
}
