import { PARTNER_KEYS } from '../../fixtures/partners.ts'
import { CAPABILITIES } from '../../spec/requirements/index.ts'
import {
  capabilitiesSchema,
  KEYS_SCHEMA,
  keysSchema,
  type TargetDescription,
  type TargetKeys,
} from '../../targets/description.ts'
import { readConfigFile } from './configFile.ts'

const KEYS_SHOWN =
  '{ "schema": "plumbline-keys/1", "keys": { "one": { "keyId", "partnerId", "kind", "secret" }, "two": …, "legacy": …, "retiring": …, "successor": … } }; the last three are optional.'

/** The keys of a file. @throws {ConfigFileError} */
export function readKeysFile(path: string): TargetKeys {
  const words = [
    ...['schema', 'keys', KEYS_SCHEMA, 'keyId', 'partnerId', 'kind', 'secret', 'individual', 'legacy'],
    ...Object.keys(PARTNER_KEYS),
  ]
  return readConfigFile(path, keysSchema, words, KEYS_SHOWN).keys
}

const CAPABILITIES_SHOWN = `{ "schema": "plumbline-capabilities/1", "capabilities": [${CAPABILITIES.map((each) => `"${each}"`).join(', ')}] }; "market" and "revokeKey" are optional.`

/** What a target declares, from a file. @throws {ConfigFileError} */
export function readCapabilitiesFile(path: string): TargetDescription {
  const words = ['schema', 'capabilities', 'market', 'revokeKey', 'plumbline-capabilities/1', ...CAPABILITIES]
  return readConfigFile(path, capabilitiesSchema, words, CAPABILITIES_SHOWN)
}
