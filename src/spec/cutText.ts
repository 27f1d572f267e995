const SAID = /… \(cut: [^()]{1,120}\)$/

/**
 * Returns a text as it is, or its beginning and what is said of the whole: `{"a":1… (cut: 900000 bytes in all)`.
 *
 * @param mostCharacters how long it may be before what is said
 */
export function cutText(text: string, mostCharacters: number, whole: string): string {
  return text.length <= mostCharacters ? text : `${beginning(text, mostCharacters)}… (cut: ${whole})`
}

/** Returns whether a text is the beginning of a longer one. */
export function isCut(text: string): boolean {
  return SAID.test(text)
}

/** Shortens a text that may have been cut before: what was said of the whole stays. */
export function shortenText(text: string, mostCharacters: number): string {
  const [said = `… (cut: ${text.length} characters in all)`] = text.match(SAID) ?? []
  const length = text.endsWith(said) ? text.length - said.length : text.length
  return length <= mostCharacters ? text : `${beginning(text, mostCharacters)}${said}`
}

/**
 * Never ends in the first half of a character that JavaScript counts as two. A copy: what V8 slices off a text keeps the whole of it in
 * memory.
 */
function beginning(text: string, length: number): string {
  const last = text.charCodeAt(length - 1)
  return structuredClone(text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length))
}
