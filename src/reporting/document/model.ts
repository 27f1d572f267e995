import type { Status, Verdict } from '../report/model.ts'

/** The meaning of an emphasised word; a page and a terminal show it by colour. */
export type Tone = 'good' | 'bad' | 'open'

/** The status of a case, or the verdict of a requirement. */
export type Ending = Status | Verdict

/** A part of a text. In a plain string, text in backticks is code. */
export type Inline =
  | string
  /** `to`: the target of a link on a page, such as the fragment that explains it. */
  | { readonly kind: 'code'; readonly code: string; readonly to?: string }
  | { readonly kind: 'strong'; readonly strong: string; readonly tone?: Tone }
  /** An address. Only a web address becomes a link. */
  | { readonly kind: 'link'; readonly href: string }
  | { readonly kind: 'mark'; readonly ending: Ending }

export type Text = string | readonly Inline[]

/** An item of a list: one line, or blocks that start with its line. */
export type Item = Text | { readonly blocks: readonly Block[] }

/** A name with a text that may be long: `expected`, `actual`. */
export type Term = readonly [name: string, text: Text]

export interface Table {
  readonly kind: 'table'
  /** Describes its content to readers who cannot see it. */
  readonly name: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly (Text | number)[])[]
}

export type Block =
  | { readonly kind: 'paragraph'; readonly text: Text }
  | { readonly kind: 'quote'; readonly text: Text }
  /** Text kept line by line. `command`: the name of a command to be copied and run. */
  | { readonly kind: 'code'; readonly text: string; readonly command?: string }
  | { readonly kind: 'list'; readonly items: readonly Item[]; readonly isOrdered?: boolean }
  | { readonly kind: 'terms'; readonly terms: readonly Term[] }
  | Table
  | { readonly kind: 'section'; readonly title: Text; readonly blocks: readonly Block[] }
  /** Content that most readers do not need: folded where the medium can fold; a terminal shows only the summary. */
  | { readonly kind: 'details'; readonly summary: Text; readonly blocks: readonly Block[] }

export const code = (text: string, to?: string): Inline =>
  to === undefined ? { kind: 'code', code: text } : { kind: 'code', code: text, to }
export const strong = (text: string, tone?: Tone): Inline =>
  tone === undefined ? { kind: 'strong', strong: text } : { kind: 'strong', strong: text, tone }
export const link = (href: string): Inline => ({ kind: 'link', href })
export const mark = (ending: Ending): Inline => ({ kind: 'mark', ending })

export const paragraph = (...text: readonly Inline[]): Block => ({ kind: 'paragraph', text })
export const quote = (text: Text): Block => ({ kind: 'quote', text })
export const preformatted = (text: string): Block => ({ kind: 'code', text })
export const command = (text: string, name: string): Block => ({ kind: 'code', text, command: name })
export const list = (items: readonly Item[]): Block => ({ kind: 'list', items })
export const ordered = (items: readonly Item[]): Block => ({ kind: 'list', items, isOrdered: true })
export const terms = (all: readonly Term[]): Block => ({ kind: 'terms', terms: all })
export const table = (name: string, head: Table['head'], rows: Table['rows']): Block => ({
  ...{ kind: 'table', name, head, rows },
})
export const section = (title: Text, blocks: readonly Block[]): Block => ({ kind: 'section', title, blocks })
export const details = (summary: Text, blocks: readonly Block[]): Block => ({
  ...{ kind: 'details', summary, blocks },
})

/** Returns the parts of a text, with code in backticks as separate parts. */
export function inlinesOf(text: Text): readonly Inline[] {
  return (typeof text === 'string' ? [text] : text).flatMap((part) =>
    typeof part === 'string'
      ? part.split(/`([^`]+)`/).map((piece, index) => (index % 2 === 1 ? code(piece) : piece))
      : [part],
  )
}

/** Returns whether a column has numbers, which a reader compares digit by digit. */
export function isFigures({ rows }: Table, column: number): boolean {
  return rows.some((row) => typeof row[column] === 'number')
}
