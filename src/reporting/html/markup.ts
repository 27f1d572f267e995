import { htmlEscape } from 'escape-goat'

/** HTML with every value escaped. */
export class Markup {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
  toString(): string {
    return this.text
  }
}

/** A value in a template: text is escaped, markup is not, lists are joined, null and false are empty. */
export type Piece = Markup | string | number | null | false | undefined | readonly Piece[]

/** Returns markup from a template. Values are escaped for text and for quoted attributes. */
export function html(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Markup {
  let text = strings[0] ?? ''
  for (const [index, piece] of pieces.entries()) text += toText(piece) + (strings[index + 1] ?? '')
  return new Markup(text)
}

/**
 * Returns text that may be long and without spaces, such as JSON on one line, a path or a list of ids. Lines break after
 * punctuation if possible, and within a word only if the word is longer than the line.
 */
export function breakable(text: string): Markup {
  return new Markup(
    text
      .split(/(?<=[,:{[/?&])(?=[^\s\d])/)
      .map((part) => htmlEscape(part))
      .join('<wbr>'),
  )
}

function toText(piece: Piece): string {
  if (piece === null || piece === undefined || piece === false) return ''
  if (piece instanceof Markup) return piece.text
  if (typeof piece === 'string') return htmlEscape(piece)
  if (typeof piece === 'number') return String(piece)
  return piece.map(toText).join('')
}
