import type { Writable } from 'node:stream'

/**
 * Writes the same data again and again, as fast as the other side reads, until it closes. Stops at the first write that fails:
 * its stream is destroyed only afterwards, and until then each further write would fail immediately, without end.
 */
export function flood(stream: Writable, again: string | Buffer): void {
  const more = (failed?: Error | null): void => {
    if (!failed && !stream.destroyed) stream.write(again, more)
  }
  more()
}
