import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeNew, writeWhole } from '../../host/writeWhole.ts'
import { UsageError } from '../../spec/errors.ts'
import { DEFAULT_DESCRIPTION, type TargetDescription } from '../../targets/description.ts'
import { CONFIGURATION_FILE } from '../run/configurationPath.ts'
import type { Configuration } from '../run/configurationSchema.ts'

const CAPABILITIES_FILE = 'plumbline.capabilities.json'

/** The published schema: below the root of a checkout or of a package, whose modules are one folder deeper. */
const SCHEMAS = ['../../../docs/config.schema.json', '../../../../docs/config.schema.json']

/** @throws {UsageError} a file is there already, and may not be replaced. */
export function insistNew(force: boolean): void {
  const path = [CONFIGURATION_FILE, CAPABILITIES_FILE].find((file) => existsSync(file))
  if (path !== undefined && !force) throw takenError(path)
}

/**
 * Writes the configuration of the current folder, and a file of capabilities where they are not those that are the default.
 *
 * @returns the names of the files.
 * @throws {UsageError} a file is there already, and may not be replaced. {NotWrittenError}
 */
export function writeConfiguration(
  configuration: Configuration,
  capabilities: TargetDescription['capabilities'],
  force: boolean,
): readonly string[] {
  const isDefault = capabilities.join() === DEFAULT_DESCRIPTION.capabilities.join()
  const files: [string, object][] = [
    ...(isDefault
      ? []
      : [[CAPABILITIES_FILE, { schema: DEFAULT_DESCRIPTION.schema, capabilities }] as [string, object]]),
    [
      CONFIGURATION_FILE,
      { ...schemaOf(), ...configuration, ...(isDefault ? {} : { capabilities: CAPABILITIES_FILE }) },
    ],
  ]
  for (const [path, content] of files) {
    const text = `${JSON.stringify(content, null, 2)}\n`
    if (force) writeWhole(path, text)
    else if (!writeNew(path, text)) throw takenError(path)
  }
  return files.map(([path]) => path)
}

function takenError(path: string): UsageError {
  return new UsageError(`${path} is there already`, 'Give --force to replace it.')
}

/** Where an editor finds the schema, if this Plumbline is installed below the current folder. */
function schemaOf(): Pick<Configuration, '$schema'> {
  const paths = SCHEMAS.map((path) => fileURLToPath(new URL(path, import.meta.url)))
  const path = relative(process.cwd(), paths.find((each) => existsSync(each)) ?? '')
  return path === '' || path.startsWith('..') ? {} : { $schema: `./${path.replaceAll('\\', '/')}` }
}
