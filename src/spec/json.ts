/** Maximum depth. No response and no file is nested nearly as deep; deeper ones would exhaust the stack of recursive readers. */
const DEPTH_MAX = 200

/**
 * Maximum number of values in JSON that a target sent. No response of the interface has nearly as many, and checking a value
 * costs far more than its few bytes.
 */
const VALUES_MAX = 20_000

/**
 * Parses JSON text that a target sent; undefined if it is not valid JSON, too deep, or has too many values.
 *
 * @param valuesMax default: the limit for responses of the interface. The messages of a node have no such limit.
 */
export function parseJson(text: string, valuesMax = VALUES_MAX): unknown {
  if (hasMoreValuesThan(valuesMax, text)) return undefined
  const read = readJsonText(text)
  return 'json' in read ? read.json : undefined
}

/** A JSON object with unknown members. */
export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the members of a JSON object; none for any other value. */
export function membersOf(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

/** The JSON of a file, or the problem with it: the end of a sentence about the file. */
export type JsonText = { readonly json: unknown } | { readonly problem: string; readonly cause?: unknown }

/** Reads the text of an untrusted file. */
export function readJsonText(text: string): JsonText {
  if (isDeeperThan(DEPTH_MAX, text)) return { problem: `is nested deeper than ${DEPTH_MAX} levels` }
  try {
    return { json: JSON.parse(text) }
  } catch (cause) {
    return { problem: 'is not JSON', cause }
  }
}

/** Returns whether JSON text has more levels of lists and objects than `most`, ignoring brackets within strings; not recursive. */
export function isDeeperThan(most: number, text: string): boolean {
  let depth = 0
  for (let index = 0; index < text.length && depth <= most; index += 1) {
    const character = text[index]
    if (character === '"') index = endOfString(text, index)
    else if (character === '[' || character === '{') depth += 1
    else if (character === ']' || character === '}') depth -= 1
  }
  return depth > most
}

/** Returns whether JSON text has more members and entries than `most`. */
function hasMoreValuesThan(most: number, text: string): boolean {
  // Every value but the first one of a list or an object follows a comma.
  if (text.length <= most) return false
  let values = 0
  for (let index = 0; index < text.length && values <= most; index += 1) {
    const character = text[index]
    if (character === '"') index = endOfString(text, index)
    else if (character === ',' || character === '[' || character === '{') values += 1
  }
  return values > most
}

/** Returns the index of the quote that ends the string that starts at `start`, or the length of the text if none does. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let first = end
    while (text[first - 1] === '\\') first -= 1
    if ((end - first) % 2 === 0) return end
  }
  return text.length
}
