import type { Readable, Writable } from 'node:stream'

/** Reads whole bodies into memory, and no more of them than a process can hold. */
export interface BodyReader {
  /**
   * Returns the whole body, or why there is none: the sender went away inside of it, or it is larger than one may be or than all
   * bodies have room for. What is beyond the limit is not read. Never rejects.
   *
   * @param answer the body counts as held until this is closed.
   */
  read(incoming: Readable, answer: Writable): Promise<Buffer | 'broken-off' | 'too-large'>
}

/**
 * @param limits.eachBytes how large one body may be
 * @param limits.allBytes how large all may be together that are held at a time
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
