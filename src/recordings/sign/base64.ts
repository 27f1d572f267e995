const STANDARD = /^[A-Za-z0-9+/]*={0,2}$/
const URL_SAFE = /^[A-Za-z0-9_-]*={0,2}$/

/**
 * Decodes base64 in the standard or the URL-safe alphabet, both of which DSSE allows; padding is optional.
 *
 * @returns null: it is invalid, mixes both alphabets, or has bits beyond the last byte.
 */
export function decodeBase64(text: string): Buffer | null {
  if (!STANDARD.test(text) && !URL_SAFE.test(text)) return null
  const bytes = Buffer.from(text, 'base64')
  const plain = text.replaceAll('-', '+').replaceAll('_', '/')
  const written = bytes.toString('base64')
  return plain === written || plain === written.replace(/=+$/, '') ? bytes : null
}
