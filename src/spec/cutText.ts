const NOTE = /… \(cut: [^()]{1,120}\)$/

/**
 * Returns a text that is short enough, or its beginning and a note about the whole: `{"a":1… (cut: 900000 bytes in all)`.
 *
 * @param mostCharacters maximum length, without the note
 * @param whole the note's text
 */
export function cutText(text: string, mostCharacters: number, whole: string): string {
  return text.length <= mostCharacters ? text : `${beginning(text, mostCharacters)}… (cut: ${whole})`
}

/** Returns whether a text is the beginning of a longer one. */
export function isCut(text: string): boolean {
  return NOTE.test(text)
}

/** Shortens a text that may have been cut before; an earlier note about the whole is kept. */
export function shortenText(text: string, mostCharacters: number): string {
  const [note = `… (cut: ${text.length} characters in all)`] = text.match(NOTE) ?? []
  const length = text.endsWith(note) ? text.length - note.length : text.length
  return length <= mostCharacters ? text : `${beginning(text, mostCharacters)}${note}`
}

/** Returns the beginning of a text, without splitting a surrogate pair; copied, as a slice in V8 keeps the whole text in memory. */
function beginning(text: string, length: number): string {
  const last = text.charCodeAt(length - 1)
  return structuredClone(text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length))
}
