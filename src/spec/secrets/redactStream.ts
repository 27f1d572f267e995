import type { Finder } from './find.ts'
import { findersOf, replaceRanges } from './redact.ts'

/** Number of characters kept back of an unfinished line, per character of the longest secret: more than any form of it takes. */
const KEPT_BACK_PER_CHARACTER = 12
const KEPT_BACK_MIN = 1_024

/** Removes secrets from a text that arrives in pieces. */
export interface RedactedStream {
  /** Returns the text that no longer depends on what follows. */
  write(piece: Buffer): string
  /** Returns the text that is still kept back, as it would be shown now. */
  rest(): string
  /** Returns the rest, after the last piece. */
  end(): string
}

/**
 * Removes secrets from a stream, however it is split into pieces. A secret holds no line end, so a line is passed on once it is
 * complete; of an unfinished line, only the length of a secret is kept back.
 */
export function redactStream(secrets: readonly string[]): RedactedStream {
  const longest = Math.max(0, ...secrets.map((secret) => secret.length))
  const most = Math.max(KEPT_BACK_MIN, longest * KEPT_BACK_PER_CHARACTER)
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const steps = findersOf(secrets, false).map((find) => createStep(find, most))
  const through = (text: string, isLast: boolean) =>
    steps.reduce((rest, step) => step.pass(rest, isLast), text)
  return {
    write: (piece) => through(decoder.decode(piece, { stream: true }), false),
    rest: () => steps.reduce((text, step) => step.show(text), ''),
    end: () => through(decoder.decode(), true),
  }
}

/** Applies one finder to a text that arrives in pieces. */
function createStep(find: Finder, most: number) {
  let held = ''
  return {
    show: (text: string) => replaceRanges(held + text, find(held + text)),
    pass(text: string, isLast: boolean): string {
      held += text
      const end = isLast ? held.length : settledEnd(held, find, most)
      const settled = held.slice(0, end)
      held = held.slice(end)
      return replaceRanges(settled, find(settled))
    },
  }
}

/** Returns the end of the text in which nothing more can be found; no range crosses it. */
function settledEnd(text: string, find: Finder, most: number): number {
  let end = Math.max(text.lastIndexOf('\n') + 1, text.length - most)
  if (end === 0) return 0
  const ranges = [...find(text)].sort(([one], [other]) => one - other)
  for (const [from, to] of ranges) {
    if (from >= end || to <= end) continue
    // A range at the end may go on; one that is longer than any secret is replaced piece by piece.
    end = to === text.length && to - from <= most ? from : to
  }
  return end
}
