import { dirname } from 'node:path'
import { commandIn } from '../../host/shellWord.ts'
import { CAPABILITIES } from '../../spec/requirements/index.ts'
import {
  capabilitiesSchema,
  keysSchema,
  type TargetDescription,
  type TargetKeys,
} from '../../targets/description.ts'
import { readConfigFile } from './configFile.ts'

const KEYS_SHOWN =
  '{ "schema": "plumbline-keys/1", "keys": { "one": { "keyId", "partnerId", "kind": "individual", "secret" }, "two": …, "legacy": …, "retiring": …, "successor": … } }; the last three are optional.'

/** Reads a file of keys. @throws {UsageError} */
export function readKeysFile(path: string): TargetKeys {
  return readConfigFile(path, keysSchema, KEYS_SHOWN, { holdsSecrets: true }).keys
}

const CAPABILITIES_SHOWN = `{ "schema": "plumbline-capabilities/1", "capabilities": [${CAPABILITIES.map((each) => `"${each}"`).join(', ')}] }; "market" and "revokeKey" are optional.`

/** Reads a target's declaration; its `revokeKey` command runs in the folder of the file. @throws {UsageError} */
export function readCapabilitiesFile(path: string): TargetDescription {
  const { revokeKey, ...description } = readConfigFile(path, capabilitiesSchema, CAPABILITIES_SHOWN)
  return revokeKey === undefined
    ? description
    : { ...description, revokeKey: commandIn(dirname(path), revokeKey) }
}
