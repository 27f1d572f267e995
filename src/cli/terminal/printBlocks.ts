import type { Block } from '../../reporting/document/model.ts'
import { toTerminal } from '../../reporting/document/terminal.ts'
import { colours } from './colours.ts'

/** Prints a document line by line, in colour on a terminal. */
export function printBlocks(blocks: readonly Block[], say: (line: string) => void): void {
  for (const line of toTerminal(blocks, colours)) say(line)
}
