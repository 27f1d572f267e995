/** The secrets of a client, which only the header of its requests may carry. */
export interface ClientKeys {
  readonly apiKey: string
  readonly privateKey: string
}

/** Returns which keys a text holds, each with where that is. */
export function keysIn(text: string, where: string, { apiKey, privateKey }: ClientKeys): readonly string[] {
  return [
    ...(text.includes(apiKey) ? [`the API key in ${where}`] : []),
    ...(holdsPrivateKey(text, privateKey) ? [`the private key in ${where}`] : []),
  ]
}

/** Returns whether a text holds a private key, in any letter case, with or without `0x`. */
export function holdsPrivateKey(text: string, privateKey: string): boolean {
  return text.toLowerCase().includes(privateKey.slice(2).toLowerCase())
}
