import type { Readable, Writable } from 'node:stream'

/** Reads whole bodies into memory, and no more of them than a process can hold. */
export interface BodyReader {
  /**
   * Returns the whole body, or the reason that there is none: the sender disconnected within it, or it exceeds the limit for
   * one body or for all of them. Data beyond the limit is not read. Never rejects.
   *
   * @param answer the body counts as held until this is closed.
   */
  read(incoming: Readable, answer: Writable): Promise<Buffer | 'broken-off' | 'too-large'>
}

/**
 * @param limits.eachBytes maximum size of one body
 * @param limits.allBytes maximum size of all bodies that are held at a time
 */
export function createBodyReader(limits: {
  readonly eachBytes: number
  readonly allBytes: number
}): BodyReader {
  let held = 0
  return {
    read: (incoming, answer) =>
      new Promise((resolve) => {
        const chunks: Buffer[] = []
        let bytes = 0
        const release = () => {
          held -= bytes
          bytes = 0
        }
        answer.once('close', release)
        incoming.on('data', (chunk: Buffer) => {
          if (bytes + chunk.length > limits.eachBytes || held + chunk.length > limits.allBytes) {
            chunks.length = 0
            release()
            incoming.removeAllListeners('data')
            incoming.pause()
            return resolve('too-large')
          }
          bytes += chunk.length
          held += chunk.length
          chunks.push(chunk)
        })
        incoming.on('error', () => resolve('broken-off'))
        incoming.on('close', () => resolve('broken-off'))
        incoming.on('end', () => resolve(Buffer.concat(chunks)))
      }),
  }
}
