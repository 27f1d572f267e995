import type { Writable } from 'node:stream'

/**
 * Writes the same again and again, as fast as the other side reads, until it closes. A write that fails is the last one: its
 * stream is destroyed only afterwards, and would until then call back for each write at once, so that there were no end.
 */
export function flood(stream: Writable, again: string | Buffer): void {
  const more = (failed?: Error | null): void => {
    if (!failed && !stream.destroyed) stream.write(again, more)
  }
  more()
}
