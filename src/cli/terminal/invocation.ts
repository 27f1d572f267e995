import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { readForeignFile } from '../../host/foreignFile.ts'
import { shellWord } from '../../host/shellWord.ts'
import { PACKAGE_NAME } from '../../host/version.ts'

/** Matches the folder in which npx caches packages. */
const CACHE_OF_NPX = /[\\/]_npx[\\/]/

interface InvocationContext {
  readonly folder: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Path of this program, as it was called; without an extension if it was found in `PATH`. */
  readonly program: string
}

/**
 * Returns the first words of commands that are printed for the user to run. They are `npx plumbline` only if Plumbline is
 * installed for the folder: elsewhere npx would run another package of that name. Otherwise they repeat how this process was
 * called; if npx ran it from its cache, which is not in `PATH`, they name the package.
 */
export function invocation(
  { folder, env, program }: InvocationContext = {
    folder: process.cwd(),
    env: process.env,
    program: process.argv[1] ?? '',
  },
): string {
  const packed = env.npm_command === 'exec' ? env.npm_config_package : undefined
  // npm separates several packages with empty lines, and an outer npx may have run another package.
  if (packed && /plumbline[^\n]*$/i.test(packed) && !packed.includes('\n'))
    return `npx --package ${shellWord(packed)} plumbline`
  if (isInstalledFor(folder)) return 'npx plumbline'
  if (CACHE_OF_NPX.test(program)) return `npx ${PACKAGE_NAME}`
  if (basename(program) === 'plumbline') return 'plumbline'
  return program.endsWith('plumbline.mjs') ? `node ${shellWord(program)}` : `npx ${PACKAGE_NAME}`
}

/** Returns whether `npx plumbline` runs this package in a folder: the folder or a parent has it installed or is its checkout. */
function isInstalledFor(folder: string): boolean {
  if (existsSync(join(folder, 'node_modules', '.bin', 'plumbline')) || isCheckout(folder)) return true
  const above = dirname(folder)
  return above !== folder && isInstalledFor(above)
}

function isCheckout(folder: string): boolean {
  try {
    const { name } = JSON.parse(readForeignFile(join(folder, 'package.json'))) as {
      readonly name?: unknown
    }
    return name === PACKAGE_NAME
  } catch {
    // The file is missing or invalid.
    return false
  }
}
