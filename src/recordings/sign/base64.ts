const STANDARD = /^[A-Za-z0-9+/]*={0,2}$/
const URL_SAFE = /^[A-Za-z0-9_-]*={0,2}$/

/**
 * Returns the bytes of base64 text in the standard or the URL-safe alphabet, both of which DSSE takes; padding may be left out.
 *
 * @returns null: it is neither, or no encoder writes it so: other characters, both alphabets, bits beyond the last byte.
 */
export function decodeBase64(text: string): Buffer | null {
  if (!STANDARD.test(text) && !URL_SAFE.test(text)) return null
  const bytes = Buffer.from(text, 'base64')
  const plain = text.replaceAll('-', '+').replaceAll('_', '/')
  const written = bytes.toString('base64')
  return plain === written || plain === written.replace(/=+$/, '') ? bytes : null
}
