/** No answer and no file is nested nearly as deep; deeper ones would exhaust the stack of whoever walks through them. */
const DEPTH_MAX = 200

/**
 * So many values may JSON have that a target sent. No answer of the interface has nearly as many, and each costs whoever checks it far
 * more than its few bytes.
 */
const VALUES_MAX = 20_000

/**
 * Parses JSON text that a target sent; undefined when it is not valid JSON, or deeper or of more values than anybody can read.
 *
 * @param valuesMax default: as for an answer of the interface; what a node is asked and answers has no such bound.
 */
export function parseJson(text: string, valuesMax = VALUES_MAX): unknown {
  if (hasMoreValuesThan(valuesMax, text)) return undefined
  const read = readJsonText(text)
  return 'json' in read ? read.json : undefined
}

/** Describes a JSON object of which nothing else is known. */
export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns a JSON object; without any member where the value is none. */
export function membersOf(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

/** The JSON of a file, or why it is none: the end of a sentence about the file. */
export type JsonText = { readonly json: unknown } | { readonly problem: string; readonly cause?: unknown }

/** Reads the text of a file that anybody may have written. */
export function readJsonText(text: string): JsonText {
  if (isDeeperThan(DEPTH_MAX, text)) return { problem: `is nested deeper than ${DEPTH_MAX} levels` }
  try {
    return { json: JSON.parse(text) }
  } catch (cause) {
    return { problem: 'is not JSON', cause }
  }
}

/**
 * Returns whether JSON text has more levels of lists and objects than `most`, brackets within its strings aside; takes no stack, and one
 * step for each character.
 */
export function isDeeperThan(most: number, text: string): boolean {
  let depth = 0
  let quoted = false
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]
    if (quoted && character === '\\') index += 1
    else if (character === '"') quoted = !quoted
    else if (quoted) continue
    else if (character === '[' || character === '{') depth += 1
    else if (character === ']' || character === '}') depth -= 1
    if (depth > most) return true
  }
  return false
}

/** Returns whether JSON text has more members and entries than `most`; takes one step for each character. */
function hasMoreValuesThan(most: number, text: string): boolean {
  // Each but the first of a list or an object follows a comma.
  if (text.length <= most) return false
  let values = 0
  let quoted = false
  for (let index = 0; index < text.length && values <= most; index += 1) {
    const character = text[index]
    if (quoted && character === '\\') index += 1
    else if (character === '"') quoted = !quoted
    else if (!quoted && (character === ',' || character === '[' || character === '{')) values += 1
  }
  return values > most
}
