import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { readForeignFile } from '../../host/foreignFile.ts'
import { shellWord } from '../../host/shellWord.ts'
import { PACKAGE_NAME } from '../../host/version.ts'

/** Where npx keeps a package that is not installed. */
const CACHE_OF_NPX = /[\\/]_npx[\\/]/

/** Describes what decides how a user calls Plumbline. */
interface InvocationContext {
  /** The current folder. */
  readonly folder: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The path of the program that runs, as it was called: without its ending where it was found in `PATH`. */
  readonly program: string
}

/**
 * Returns what the commands begin with that are printed for the user to run. `npx plumbline` finds another package of that name where
 * Plumbline is not installed, so that it is the answer only where it is; elsewhere it is what called this process: where that was npx,
 * whose programs are in no `PATH` of the user, the name of the package.
 */
export function invocation(
  { folder, env, program }: InvocationContext = {
    folder: process.cwd(),
    env: process.env,
    program: process.argv[1] ?? '',
  },
): string {
  const packed = env.npm_command === 'exec' ? env.npm_config_package : undefined
  // npm separates several packages by empty lines, and an outer npx may have been for another one.
  if (packed && /plumbline[^\n]*$/i.test(packed) && !packed.includes('\n'))
    return `npx --package ${shellWord(packed)} plumbline`
  if (isInstalledFor(folder)) return 'npx plumbline'
  if (CACHE_OF_NPX.test(program)) return `npx ${PACKAGE_NAME}`
  if (basename(program) === 'plumbline') return 'plumbline'
  return program.endsWith('plumbline.mjs') ? `node ${shellWord(program)}` : `npx ${PACKAGE_NAME}`
}

/** Returns whether `npx plumbline` runs this package in a folder: it, or one above it, has it installed or is its checkout. */
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
    // There is no such file, or nothing that npm could read.
    return false
  }
}
