import { decoded } from '../spec/secrets/url.ts'
import type { ClientEvent } from './clientLog.ts'
import type { ClientTime } from './program.ts'

/** The occurrences at which a fault applies. */
export interface Struck {
  /** Number of occurrences to skip first. Default: none. */
  readonly after?: number
  /** Number of occurrences to affect. Default: all that follow. */
  readonly times?: number
}

/** Counts the occurrences of each fault. */
export class Strikes {
  readonly #counts = new Map<Struck, number>()

  /** Returns whether a fault applies to this occurrence. */
  next(fault: Struck): boolean {
    const { after = 0, times = Number.POSITIVE_INFINITY } = fault
    const count = this.#counts.get(fault) ?? 0
    this.#counts.set(fault, count + 1)
    return count >= after && count < after + times
  }
}

/** The secrets of a client. Only its Authorization header may contain the API key; no request may contain the private key. */
export interface ClientKeys {
  readonly apiKey: string
  readonly privateKey: string
}

/** A line between a client and the service, or its node. */
export interface LineOptions<Fault extends Struck> extends ClientKeys {
  readonly faults: readonly Fault[]
  readonly time: ClientTime
  /** Waits for an action of the case, and keeps its error. */
  guard(action: Promise<unknown>): Promise<void>
  onEvent(event: ClientEvent): void
}

/** The case cut the connection. */
export class CutError extends Error {
  override readonly name = 'CutError'
  constructor() {
    super('the case cut the connection')
  }
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
