import { existsSync } from 'node:fs'
import { readForeignFile } from '../../host/foreignFile.ts'
import { DEFAULT_DESCRIPTION, type TargetDescription } from '../../targets/description.ts'
import type { Explored } from '../../targets/exploreTarget.ts'
import { readCapabilitiesFile } from '../run/targetFiles.ts'

/** File that is written if nothing is declared yet. */
export const CAPABILITIES_FILE = 'plumbline.capabilities.json'
/** Name of such a file in the guide; other tools use this name too. */
const ALSO = 'capabilities.json'

/** Capabilities that a few requests can show; the user must declare the others. */
const SHOWN: ReadonlySet<string> = new Set(['attribution', 'permit2', 'partner-report'])

/** Capabilities that the user has declared, with the path of the file. */
export interface Declared {
  readonly path: string
  readonly description: TargetDescription
}

/**
 * Reads the declaration in a file, by default that of the current folder; null: there is none.
 *
 * @throws {UsageError} the file cannot be read, or has the wrong shape.
 */
export function readDeclared(given: string | undefined): Declared | null {
  const path = given ?? [CAPABILITIES_FILE, ALSO].find((name) => existsSync(name) && isOurs(name))
  return path === undefined ? null : { path, description: readCapabilitiesFile(path) }
}

/** Returns whether a file is meant for Plumbline: another tool's file of the same name is left alone. */
function isOurs(name: string): boolean {
  if (name === CAPABILITIES_FILE) return true
  const [format = ''] = DEFAULT_DESCRIPTION.schema.split('/')
  return readForeignFile(name).includes(`"${format}/`)
}

/** Returns the declared capabilities and how they differ from the observed ones, as lines. */
export function describeDeclared(
  { path, description }: Declared,
  { capabilities: seen }: Pick<Explored, 'capabilities'>,
): readonly string[] {
  const { capabilities: declared } = description
  const unseen = declared.filter((each) => SHOWN.has(each) && !seen.includes(each))
  const undeclared = seen.filter((each) => !declared.includes(each))
  return [
    `capabilities declared in ${path}, which is used: ${declared.join(', ') || 'none'}`,
    ...(unseen.length === 0 ? [] : [`  declared, and not seen: ${unseen.join(', ')}`]),
    ...(undeclared.length === 0 ? [] : [`  seen, and not tested until declared: ${undeclared.join(', ')}`]),
  ]
}
