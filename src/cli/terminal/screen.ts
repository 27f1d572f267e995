/** Clears a terminal, with what was scrolled out of sight. */
export const CLEAR = '\x1b[2J\x1b[3J\x1b[H'

/** Returns whether a terminal can be cleared. Some tools make one that does not know its width. */
export function canClear({ isTTY, columns }: Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>): boolean {
  return isTTY && columns > 0 && process.env.TERM !== 'dumb'
}
