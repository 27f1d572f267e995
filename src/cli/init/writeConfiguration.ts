import { existsSync, readFileSync } from 'node:fs'
import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PACKAGE_NAME } from '../../host/version.ts'
import { writeNew, writeWhole } from '../../host/writeWhole.ts'
import { UsageError } from '../../spec/errors.ts'
import { DEFAULT_DESCRIPTION, type TargetDescription } from '../../targets/description.ts'
import type { Configuration } from '../run/configurationSchema.ts'
import { CONFIGURATION_FILE } from '../run/options.ts'
import { CAPABILITIES_FILE } from './declared.ts'

/** The published schema. In a package, modules are one folder deeper, and so is the root of `docs`. */
const SCHEMA = fileURLToPath(new URL('../../../docs/config.schema.json', import.meta.url))
const SCHEMA_COPY = 'plumbline.config.schema.json'

/** @throws {UsageError} a configuration exists and may not be replaced. */
export function checkNew(force: boolean): void {
  if (existsSync(CONFIGURATION_FILE) && !force) throw takenError(CONFIGURATION_FILE)
}

/**
 * Writes the configuration of the current folder, and the files that it needs: the capabilities if they are not the default, and a
 * copy of the schema for editors if Plumbline is not installed in the folder.
 *
 * @param capabilities the path of a file that declares them, which is not changed, or the capabilities to declare.
 * @returns the names of the written files.
 * @throws {UsageError} a file exists and may not be replaced. {NotWrittenError}
 */
export function writeConfiguration(
  configuration: Configuration,
  capabilities: string | TargetDescription['capabilities'],
  force: boolean,
): readonly string[] {
  const schema = schemaFile()
  const declared = typeof capabilities === 'string' ? capabilities : fileOf(capabilities)
  const content = {
    ...{ $schema: `./${schema.path}`, ...configuration },
    ...(declared === null ? {} : { capabilities: typeof declared === 'string' ? declared : declared.path }),
  }
  const files: readonly { readonly path: string; readonly text: string }[] = [
    ...(schema.text === null ? [] : [{ path: schema.path, text: schema.text }]),
    ...(declared === null || typeof declared === 'string' ? [] : [declared]),
    { path: CONFIGURATION_FILE, text: jsonOf(content) },
  ]
  for (const { path, text } of files) {
    // The copy of the schema may always be replaced: only Plumbline writes it.
    if (force || path === SCHEMA_COPY) writeWhole(path, text)
    else if (!writeNew(path, text)) throw takenError(path)
  }
  return files.map(({ path }) => path)
}

/** Returns a file that declares capabilities, or null if they are the default. */
function fileOf(capabilities: TargetDescription['capabilities']) {
  const { schema, capabilities: usual } = DEFAULT_DESCRIPTION
  if (capabilities.join() === usual.join()) return null
  return { path: CAPABILITIES_FILE, text: jsonOf({ schema, capabilities }) }
}

const jsonOf = (content: object) => `${JSON.stringify(content, null, 2)}\n`

function takenError(path: string): UsageError {
  return new UsageError(`${path} is there already`, 'Give --force to replace it.')
}

/**
 * Returns the path of the schema for editors: in the checkout or the project in which Plumbline is installed. If it is installed
 * elsewhere, such as in the cache of npx, returns the path and the text of a copy.
 */
function schemaFile(): { readonly path: string; readonly text: string | null } {
  const way = relative(process.cwd(), SCHEMA).split(sep)
  const isProject = ['docs', `node_modules/${PACKAGE_NAME}/docs`].includes(way.slice(0, -1).join('/'))
  return isProject
    ? { path: way.join('/'), text: null }
    : { path: SCHEMA_COPY, text: readFileSync(SCHEMA, 'utf8') }
}
