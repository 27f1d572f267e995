/** Programs that execute a command, by the word after `by=` in the first line of its block. */
export const EXECUTORS = {
  test: 'npm test',
  ci: '.ci/run',
  installed: 'npm run check:installed',
  run: 'npm run check:guides:run',
  /** For commands that take many minutes. */
  long: 'npm run check:guides:run -- --long',
} as const
export type Executor = keyof typeof EXECUTORS

/** A command in a block of a guide, ready to be run. */
export interface ShownCommand {
  readonly guide: string
  readonly line: number
  /** The command on one line, without its comment. */
  readonly command: string
  /** The output that the guide shows; null: it shows none. Only the last command of a block can have one. */
  readonly output: readonly string[] | null
  /** The exit code that the block states as ```` ```sh exit=1 ````; otherwise 0. */
  readonly exitCode: number
  /** Given as ```` ```sh by=test ````; otherwise `run`. */
  readonly by: Executor
}

type Block = Pick<ShownCommand, 'exitCode' | 'by'> & { readonly kind: string; readonly from: number }

const FENCE = /^\s*```(\w*) ?(.*)$/

/**
 * Returns the commands in the `sh` blocks of a guide, in order. A `text` block that follows without another block or a heading
 * in between is the output of the last command.
 */
export function commandsIn(guide: string, text: string): readonly ShownCommand[] {
  const lines = text.split('\n')
  const found: ShownCommand[] = []
  let open: Block | null = null
  /** The command whose output may follow. */
  let last: ShownCommand | undefined
  for (const [index, line] of lines.entries()) {
    const fence = line.match(FENCE)
    if (fence === null) {
      if (open === null && /^#+ /.test(line)) last = undefined
    } else if (open === null) {
      const [, kind = '', rest = ''] = fence
      const [exitCode, by] = [rest.match(/\bexit=(\d)/)?.[1] ?? 0, rest.match(/\bby=(\w+)/)?.[1] ?? 'run']
      open = { kind, exitCode: Number(exitCode), by: by as Executor, from: index + 1 }
    } else {
      const block = lines.slice(open.from, index)
      if (open.kind === 'sh') {
        found.push(...commandsOf(guide, block, open))
        last = found.at(-1)
      } else if (open.kind === 'text' && last !== undefined) {
        found[found.length - 1] = { ...last, output: dedent(block) }
        last = undefined
      } else last = undefined
      open = null
    }
  }
  return found
}

function commandsOf(
  guide: string,
  block: readonly string[],
  { exitCode, by, from }: Block,
): readonly ShownCommand[] {
  const found: ShownCommand[] = []
  let continued = ''
  for (const [index, raw] of block.entries()) {
    const line = `${continued}${raw.trim()}`.trim()
    if (line.endsWith('\\')) {
      continued = `${line.slice(0, -1).trim()} `
      continue
    }
    continued = ''
    const command = withoutComment(line)
    if (command !== '') found.push({ guide, line: from + index + 1, command, output: null, exitCode, by })
  }
  return found
}

/** Returns everything before a `#` that starts a word outside quotes. */
function withoutComment(line: string): string {
  const code = line.match(/^(?:[^'"#]|'[^']*'|"[^"]*"|(?<=\S)#)*/)?.[0] ?? ''
  return code.trim()
}

/** Returns lines without their common indentation. */
function dedent(block: readonly string[]): readonly string[] {
  const depths = block
    .filter((line) => line.trim() !== '')
    .map((line) => line.length - line.trimStart().length)
  const depth = Math.min(...depths)
  return block.map((line) => line.slice(depth))
}

/** Returns the words of a command as a shell would pass them. Handles quotes, but neither variables nor globs. */
export function wordsOf(command: string): readonly string[] {
  return [...command.matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g)].map(([word]) =>
    word.replaceAll(/'([^']*)'|"([^"]*)"/g, (_, single?: string, double?: string) => single ?? double ?? ''),
  )
}
