import { printable } from '../printable.ts'
import { wordOf } from './endings.ts'
import { type Block, type Inline, type Item, inlinesOf, isFigures, type Table, type Text } from './model.ts'
import { toTerminal } from './terminal.ts'

/**
 * Returns a document as blocks of Markdown for GitHub, to be separated by empty lines. No text in it acts as markup, a mention,
 * or a command of a CI runner that logs it.
 *
 * @param level of the headings of the outermost sections
 */
export function toMarkdown(blocks: readonly Block[], level = 1): readonly string[] {
  return blocks.flatMap((block) => markdownOf(block, level)).map(printable)
}

function markdownOf(block: Block, level: number): readonly string[] {
  switch (block.kind) {
    case 'paragraph':
      return [inMarkdown(block.text)]
    case 'quote':
      return [`> ${inMarkdown(block.text)}`]
    case 'code':
      return [fence(block.text)]
    case 'terms':
      return [fence(toTerminal([block]).join('\n'))]
    case 'list':
      return [
        block.items.map((item, index) => itemOf(item, block.isOrdered ? `${index + 1}. ` : '- ')).join('\n'),
      ]
    case 'table':
      return [tableOf(block)]
    case 'section':
      return [`${'#'.repeat(level)} ${inMarkdown(block.title)}`, ...toMarkdown(block.blocks, level + 1)]
    case 'details':
      // GitHub reads Markdown again after an empty line.
      return [
        `<details><summary>\n\n${inMarkdown(block.summary)}\n\n</summary>\n\n${toMarkdown(block.blocks, level + 1).join('\n\n')}\n\n</details>`,
      ]
  }
}

function itemOf(item: Item, bullet: string): string {
  const text =
    typeof item === 'object' && 'blocks' in item ? toMarkdown(item.blocks).join('\n\n') : inMarkdown(item)
  return bullet + text.replaceAll(/\n(?!\n)/g, `\n${' '.repeat(bullet.length)}`)
}

function tableOf(block: Table): string {
  // A row ends at a bar even within code.
  const cell = (text: Text | number) =>
    typeof text === 'number' ? String(text) : inMarkdown(text).replaceAll(/(?<!\\)\|/g, '\\|')
  const rules = block.head.map((_, column) => (isFigures(block, column) ? '---:' : '---'))
  return [block.head.map(cell), rules, ...block.rows.map((row) => row.map(cell))]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

function inMarkdown(text: Text): string {
  const write = (part: Inline) => {
    if (typeof part === 'string') return escaped(part)
    switch (part.kind) {
      case 'code':
        return span(part.code)
      case 'link':
        return linkTo(part.href)
      case 'strong':
        return `**${escaped(part.strong)}**`
      case 'mark':
        return `**${wordOf(part.ending)}**`
    }
  }
  return inlinesOf(text).map(write).join('')
}

function escaped(text: string): string {
  const inert = inOneLine(text).replace(/[\\`*_{}[\]()#+!|<>~-]/g, (character) => `\\${character}`)
  // GitHub looks for mentions after escapes are resolved, but not across elements.
  return inert.replaceAll('@', '<span>@</span>')
}

/** Returns a span of code, fenced by more backticks than it holds in a row. */
function span(text: string): string {
  const line = inOneLine(text)
  const ticks = '`'.repeat(1 + longestRun(line))
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : ''
  return `${ticks}${pad}${line}${pad}${ticks}`
}

function linkTo(address: string): string {
  return /^https?:/i.test(address) && URL.canParse(address) ? `<${new URL(address).href}>` : escaped(address)
}

/** Returns a block of text, fenced by more backticks than it holds in a row. */
function fence(text: string): string {
  const ticks = '`'.repeat(Math.max(3, 1 + longestRun(text)))
  return `${ticks}text\n${text}\n${ticks}`
}

/** Returns a text without line feeds: an empty line would end the paragraph, and with it a span. */
function inOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length))
}
