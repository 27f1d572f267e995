import { around, type ServiceSeams } from '../../../src/service/testing.ts'
import type { Manifest } from '../../../src/spec/manifest.ts'
import { changeManifest } from './ports.ts'
import { changeRequest, type Fields } from './wire.ts'

/** A token outside the registry, by its symbol. */
type Find = (symbol: unknown) => Manifest['otherTokens'][number] | undefined

/** Returns a service that knows the tokens outside the registry by their symbols, and completes requests with them. */
export function completeRequest(
  endpoint: 'quote' | 'build',
  complete: (fields: Fields, find: Find) => Fields,
): ServiceSeams {
  let tokens: Manifest['otherTokens'] = []
  const find: Find = (symbol) => tokens.find((token) => token.symbol === symbol)
  return around(
    changeManifest((manifest) => {
      tokens = manifest.otherTokens
      return manifest
    }),
    changeRequest(endpoint, (fields) => complete(fields, find)),
  )
}
