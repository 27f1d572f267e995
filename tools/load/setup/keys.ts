import { KEYS_SCHEMA } from '../../../src/targets/description.ts'

export interface ClientKey {
  readonly keyId: string
  readonly partnerId: string
  readonly secret: string
}

const key = (name: string, partnerId = `partner-${name}`) => ({
  ...{ keyId: `key-${name}`, partnerId, kind: 'individual' },
  secret: `key-of-a-deployment-${name}-${'0'.repeat(32)}`,
})

/** Content of the file that PLUMBLINE_KEYS names: individual keys, the last two of one partner. */
export const KEYS_FILE = {
  schema: KEYS_SCHEMA,
  keys: {
    one: key('one'),
    two: key('two'),
    retiring: key('retiring', 'partner-three'),
    successor: key('successor', 'partner-three'),
  },
}

const { one, two, retiring, successor } = KEYS_FILE.keys
export const CLIENT_KEYS = [one, two, retiring, successor] as const
