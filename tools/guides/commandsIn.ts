/** A command that a guide shows in a block of its own, ready to be typed. */
export interface ShownCommand {
  readonly guide: string
  readonly line: number
  /** The command on one line, without its comment. */
  readonly command: string
  /** What the guide says it prints; null: the guide does not say. Only the last command of a block can have one. */
  readonly output: readonly string[] | null
  /** The exit code that the block states as ```` ```sh exit=1 ````; otherwise 0. */
  readonly exitCode: number
}

const FENCE = /^\s*```(\w*) ?(.*)$/

/**
 * The commands in the `sh` blocks of a guide, in their order. A `text` block that follows with no other block and no heading
 * between is what the last of them prints.
 */
export function commandsIn(guide: string, text: string): readonly ShownCommand[] {
  const lines = text.split('\n')
  const found: ShownCommand[] = []
  let open: { readonly kind: string; readonly exitCode: number; readonly from: number } | null = null
  /** The command whose output may follow. */
  let asked: ShownCommand | undefined
  for (const [index, line] of lines.entries()) {
    const fence = line.match(FENCE)
    if (fence === null) {
      if (open === null && /^#+ /.test(line)) asked = undefined
    } else if (open === null) {
      const [, kind = '', rest = ''] = fence
      open = { kind, exitCode: Number(rest.match(/\bexit=(\d)/)?.[1] ?? 0), from: index + 1 }
    } else {
      const block = lines.slice(open.from, index)
      if (open.kind === 'sh') {
        found.push(...commandsOf(guide, block, open))
        asked = found.at(-1)
      } else if (open.kind === 'text' && asked !== undefined) {
        found[found.length - 1] = { ...asked, output: undented(block) }
        asked = undefined
      } else asked = undefined
      open = null
    }
  }
  return found
}

function commandsOf(
  guide: string,
  block: readonly string[],
  { exitCode, from }: { readonly exitCode: number; readonly from: number },
): readonly ShownCommand[] {
  const found: ShownCommand[] = []
  let begun = ''
  for (const [index, raw] of block.entries()) {
    const line = `${begun}${raw.trim()}`.trim()
    if (line.endsWith('\\')) {
      begun = `${line.slice(0, -1).trim()} `
      continue
    }
    begun = ''
    const command = withoutComment(line)
    if (command !== '') found.push({ guide, line: from + index + 1, command, output: null, exitCode })
  }
  return found
}

/** Everything before a `#` that begins a word outside of quotes. */
function withoutComment(line: string): string {
  const code = line.match(/^(?:[^'"#]|'[^']*'|"[^"]*"|(?<=\S)#)*/)?.[0] ?? ''
  return code.trim()
}

/** Lines without the indentation that they share, as in a list. */
function undented(block: readonly string[]): readonly string[] {
  const depths = block
    .filter((line) => line.trim() !== '')
    .map((line) => line.length - line.trimStart().length)
  const depth = Math.min(...depths)
  return block.map((line) => line.slice(depth))
}

/** The words of a command as a shell would hand them over; it knows quotes, and neither variables nor globs. */
export function wordsOf(command: string): readonly string[] {
  return [...command.matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g)].map(([word]) =>
    word.replaceAll(/'([^']*)'|"([^"]*)"/g, (_, single?: string, double?: string) => single ?? double ?? ''),
  )
}
