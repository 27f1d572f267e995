/** Limits on JSON that is read from a peer. */
export interface JsonLimits {
  readonly bytesMax: number
  /** Depth of nested arrays and objects. */
  readonly depthMax: number
  /** Number of values and names, counted by their separators. */
  readonly valuesMax: number
}

const [QUOTE, ESCAPE, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [ARRAY, ARRAY_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Measures JSON text as it arrives, before it is parsed: parsing a few megabytes of nested or tiny values blocks the event loop
 * for seconds. The text need not be valid.
 *
 * @returns a function that takes the chunks in order and returns the limit that the text exceeds by now; null: none.
 */
export function createJsonMeter({ bytesMax, depthMax, valuesMax }: JsonLimits) {
  let bytes = 0
  let depth = 0
  let values = 0
  let inString = false
  let escaped = false

  return (chunk: Uint8Array): string | null => {
    bytes += chunk.length
    if (bytes > bytesMax) return `larger than ${bytesMax} bytes`
    for (const byte of chunk) {
      if (escaped) escaped = false
      else if (inString) {
        if (byte === ESCAPE) escaped = true
        else if (byte === QUOTE) inString = false
      } else if (byte === QUOTE) inString = true
      else if (byte === COMMA || byte === COLON) values += 1
      else if (byte === ARRAY || byte === OBJECT) {
        depth += 1
        values += 1
        if (depth > depthMax) return `nested deeper than ${depthMax} levels`
      } else if (byte === ARRAY_END || byte === OBJECT_END) depth -= 1
    }
    if (values > valuesMax) return `of more than ${valuesMax} values`
    return null
  }
}
