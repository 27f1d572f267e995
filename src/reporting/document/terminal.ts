import pc from 'picocolors'
import { wordOf } from './endings.ts'
import { type Block, type Ending, type Inline, type Item, isFigures, type Text, type Tone } from './model.ts'
import { table } from './textTable.ts'

/** Functions that colour a text, or leave it plain. */
export type Colours = Pick<
  ReturnType<typeof pc.createColors>,
  'bold' | 'cyan' | 'dim' | 'green' | 'red' | 'yellow'
>

const PLAIN: Colours = pc.createColors(false)
const TONES: Readonly<Record<Tone, keyof Colours>> = { good: 'green', bad: 'red', open: 'yellow' }
const ENDINGS: Readonly<Partial<Record<Ending, keyof Colours>>> = {
  pass: 'green',
  fail: 'red',
  excused: 'yellow',
  inconclusive: 'yellow',
  'not-kept': 'yellow',
  observed: 'cyan',
}

/**
 * Returns a document as lines for a terminal or for plain text; folded blocks show only their summary. Texts of a target are
 * not escaped here: the output makes them printable.
 */
export function toTerminal(blocks: readonly Block[], colours: Colours = PLAIN): readonly string[] {
  return blocks.flatMap((block) => linesOf(block, colours))
}

function linesOf(block: Block, colours: Colours): readonly string[] {
  const write = (text: Text) => inTerminal(text, colours)
  switch (block.kind) {
    case 'paragraph':
      return write(block.text).split('\n')
    case 'quote':
      return [`“${write(block.text)}”`]
    case 'code':
      return block.command === undefined ? block.text.split('\n') : [`${block.command}: ${block.text}`]
    case 'terms': {
      const width = Math.max(...block.terms.map(([name]) => name.length))
      return block.terms.flatMap(([name, text]) => hanging(`${name.padEnd(width)} `, write(text).split('\n')))
    }
    case 'list':
      return block.items.flatMap((item, index) =>
        hanging(block.isOrdered === true ? `  ${index + 1}. ` : '  ', linesOfItem(item, colours)),
      )
    case 'table':
      return table(
        block.head,
        block.rows.map((row) => row.map((cell) => (typeof cell === 'number' ? cell : write(cell)))),
        block.head.map((_, column) => (isFigures(block, column) ? 'right' : 'left')),
      ).split('\n')
    case 'section':
      return ['', colours.bold(write(block.title)), ...hanging('  ', toTerminal(block.blocks, colours))]
    case 'details':
      return [write(block.summary)]
  }
}

/** Returns the lines of an item; blocks after its first one are indented. */
function linesOfItem(item: Item, colours: Colours): readonly string[] {
  if (typeof item !== 'object' || !('blocks' in item)) return inTerminal(item, colours).split('\n')
  return item.blocks.flatMap((block, index) => {
    const lines = linesOf(block, colours)
    return index === 0 || block.kind === 'list' ? lines : lines.map((line) => `  ${line}`)
  })
}

/** Returns lines with a prefix before the first; the others are indented by its length. */
function hanging(begin: string, [first = '', ...others]: readonly string[]): readonly string[] {
  const indent = ' '.repeat(begin.length)
  return [begin + first, ...others.map((line) => (line === '' ? line : indent + line))]
}

export function inTerminal(text: Text, colours: Colours = PLAIN): string {
  const write = (part: Inline) => {
    if (typeof part === 'string') return part
    switch (part.kind) {
      case 'code':
        return part.code
      case 'link':
        return part.href
      case 'strong':
        return colours[part.tone === undefined ? 'bold' : TONES[part.tone]](part.strong)
      case 'mark':
        return colours[ENDINGS[part.ending] ?? 'dim'](wordOf(part.ending))
    }
  }
  return (typeof text === 'string' ? [text] : text).map(write).join('')
}
