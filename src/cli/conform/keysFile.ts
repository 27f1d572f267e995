import { PARTNER_KEYS } from '../../fixtures/partners.ts'
import { KEYS_SCHEMA, keysSchema, type TargetKeys } from '../../targets/description.ts'
import { readConfigFile } from './configFile.ts'

const KEYS_SHOWN =
  '{ "schema": "plumbline-keys/1", "keys": { "one": { "keyId", "partnerId", "kind", "secret" }, "two": …, "legacy": …, "retiring": …, "successor": … } }; the last three may be left out.'

/** The keys of a file. @throws {ConfigFileError} */
export function readKeysFile(path: string): TargetKeys {
  const words = [
    ...['schema', 'keys', KEYS_SCHEMA, 'keyId', 'partnerId', 'kind', 'secret', 'individual', 'legacy'],
    ...Object.keys(PARTNER_KEYS),
  ]
  return readConfigFile(path, keysSchema, words, KEYS_SHOWN).keys
}
