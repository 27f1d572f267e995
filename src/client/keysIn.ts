import { decoded } from '../spec/secrets/url.ts'

/** The secrets of a client. Only its Authorization header may contain the API key; no request may contain the private key. */
export interface ClientKeys {
  readonly apiKey: string
  readonly privateKey: string
}

/** Returns the path and query of a request as text in which a key can be found, encoded or not. */
export function readableUrl(url: string): string {
  const [path = '', search = ''] = url.split(/\?(.*)/s)
  return `${decoded(path)} ${decoded(search)} ${url}`
}

/** Returns a description of each key found in a text. */
export function keysIn(text: string, where: string, { apiKey, privateKey }: ClientKeys): readonly string[] {
  return [
    ...(text.includes(apiKey) ? [`the API key in ${where}`] : []),
    ...(holdsPrivateKey(text, privateKey) ? [`the private key in ${where}`] : []),
  ]
}

/** Returns whether a text contains a private key, in any letter case, with or without `0x`. */
export function holdsPrivateKey(text: string, privateKey: string): boolean {
  return text.toLowerCase().includes(privateKey.slice(2).toLowerCase())
}
