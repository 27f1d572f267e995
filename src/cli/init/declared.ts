import { existsSync } from 'node:fs'
import { readForeignFile } from '../../host/foreignFile.ts'
import { DEFAULT_DESCRIPTION, type TargetDescription } from '../../targets/description.ts'
import type { Explored } from '../../targets/exploreTarget.ts'
import { readCapabilitiesFile } from '../run/targetFiles.ts'

/** What is written where nothing is declared yet. */
export const CAPABILITIES_FILE = 'plumbline.capabilities.json'
/** What such a file is called in the guide; other tools use the name as well. */
const ALSO = 'capabilities.json'

/** What a few requests show; the other capabilities are the user's to declare. */
const SHOWN: ReadonlySet<string> = new Set(['attribution', 'permit2', 'partner-report'])

/** Capabilities that the user has declared, and where. */
export interface Declared {
  readonly path: string
  readonly description: TargetDescription
}

/**
 * Returns what is declared in a file, or in the one of the current folder; null: there is none.
 *
 * @throws {UsageError} the file cannot be read, or is not of its shape.
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

/** Returns how what is declared differs from what was seen, in lines. */
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
