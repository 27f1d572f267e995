import { constants, fstatSync, openSync, writeSync } from 'node:fs'
import { isatty } from 'node:tty'
import type { Clock } from '../ports.ts'
import { systemClock } from './clock.ts'

/** Size of the lines that wait for a slow reader. Further lines are dropped. */
const WAITING_BYTES_MAX = 262_144
/** Pause between two attempts to write while the reader takes nothing. */
const RETRY_MS = 100

export interface LineWriter {
  /** @param line with its line break. */
  write(line: string): void
  /** Writes as many waiting lines as there is room for now. */
  flush(): void
}

interface LineWriterOptions {
  readonly clock: Clock
  /** Writes without waiting. Returns the number of bytes taken; 0: no room; null: failed, and the bytes are lost. */
  readonly writeSome: (bytes: Uint8Array) => number | null
  /** Returns the line, with its line break, that reports how many were dropped. */
  readonly describeDropped: (lines: number) => string
}

/**
 * Writes lines without ever waiting for the reader: a bounded number of bytes waits for room, further lines are dropped and
 * counted, and the count is written once there is room.
 */
export function createLineWriter({ clock, writeSome, describeDropped }: LineWriterOptions): LineWriter {
  const waiting: { readonly bytes: Uint8Array; readonly lines: number }[] = []
  let waitingBytes = 0
  let dropped = 0
  let isRetrying = false

  const add = (bytes: Uint8Array, lines: number) => {
    waiting.push({ bytes, lines })
    waitingBytes += bytes.length
  }
  const addDropped = () => {
    if (waiting.length > 0 || dropped === 0) return
    add(Buffer.from(describeDropped(dropped)), dropped)
    dropped = 0
  }
  const flush = () => {
    for (let first = waiting.shift(); first !== undefined; first = waiting.shift()) {
      waitingBytes -= first.bytes.length
      const written = writeSome(first.bytes)
      if (written === null) {
        dropped += first.lines
        return retryLater()
      }
      if (written < first.bytes.length) {
        const rest = first.bytes.subarray(written)
        waiting.unshift({ ...first, bytes: rest })
        waitingBytes += rest.length
        return retryLater()
      }
      addDropped()
    }
  }
  const retryLater = () => {
    if (isRetrying) return
    isRetrying = true
    clock.after(RETRY_MS, () => {
      isRetrying = false
      addDropped()
      flush()
    })
  }

  return {
    write: (line) => {
      const bytes = Buffer.from(line)
      if (waitingBytes + bytes.length > WAITING_BYTES_MAX) dropped += 1
      else add(bytes, 1)
      if (!isRetrying) flush()
    },
    flush,
  }
}

let ofThisProcess: LineWriter | null = null

/** Returns the writer on standard error, one per process. Waiting lines that have room are written when the process ends. */
export function standardErrorWriter(describeDropped: (lines: number) => string): LineWriter {
  if (ofThisProcess === null) {
    const writer = createLineWriter({
      clock: systemClock,
      writeSome: writerToStandardError(),
      describeDropped,
    })
    process.once('exit', writer.flush)
    ofThisProcess = writer
  }
  return ofThisProcess
}

const STANDARD_ERROR = 2

/** Writes to standard error without ever waiting. */
function writerToStandardError(): (bytes: Uint8Array) => number | null {
  if (isatty(STANDARD_ERROR) || fstatSync(STANDARD_ERROR).isFIFO()) {
    // A paused terminal or a full pipe takes nothing. Reopened non-blocking, it affects no other program that uses it.
    try {
      return writerOf(openSync('/dev/stderr', constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY))
    } catch {
      return writerOf(STANDARD_ERROR)
    }
  }
  // Node makes a socket non-blocking when it creates the stream, and blocking again when a child process inherits it.
  const { _handle: handle } = process.stderr as { _handle?: { setBlocking?(isBlocking: boolean): void } }
  const write = writerOf(STANDARD_ERROR)
  return (bytes) => {
    handle?.setBlocking?.(false)
    return write(bytes)
  }
}

const writerOf = (descriptor: number) => (bytes: Uint8Array) => {
  try {
    return writeSync(descriptor, bytes)
  } catch (error) {
    // Any other error: the reader is gone, or the disk is full. Neither may end the service.
    return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? 0 : null
  }
}
