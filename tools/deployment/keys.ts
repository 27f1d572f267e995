import { writeFileSync } from 'node:fs'
import { KEYS_SCHEMA } from '../../src/targets/description.ts'

/** A key that the clients use. */
export interface ClientKey {
  readonly keyId: string
  readonly partnerId: string
  readonly secret: string
}

const key = (name: string, partnerId = `partner-${name}`): ClientKey => ({
  keyId: `key-${name}`,
  partnerId,
  secret: `key-of-a-deployment-${name}-${'0'.repeat(32)}`,
})

/** Individual keys; the last two belong to one partner. */
export const CLIENT_KEYS = [
  key('one'),
  key('two'),
  key('retiring', 'partner-three'),
  key('successor', 'partner-three'),
] as const

/** Writes the file that PLUMBLINE_KEYS names. */
export function writeKeysFile(path: string): void {
  const [one, two, retiring, successor] = CLIENT_KEYS.map((each) => ({ ...each, kind: 'individual' }))
  writeFileSync(path, JSON.stringify({ schema: KEYS_SCHEMA, keys: { one, two, retiring, successor } }))
}
