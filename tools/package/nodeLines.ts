import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

/** The lines of Node that the package supports, by major version. */
const LINES = [20, 22, 24]

/** A line of Node, and its newest version as a program; null where the npm registry does not serve it. */
export interface NodeLine {
  readonly major: number
  readonly version: string
  readonly program: string | null
  /** Why there is no program. */
  readonly why: string
}

/**
 * Gets the newest Node of each supported line from the npm registry; the Node that runs this is not fetched again.
 *
 * @param folder an empty folder for the programs.
 */
export function nodeLines(folder: string): readonly NodeLine[] {
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const name = `node-${platform}-${process.arch}`
  return LINES.map((major) => {
    let version = `${major}`
    try {
      version = newest(name, major)
      if (process.version === `v${version}`) return { major, version, program: process.execPath, why: '' }
      const place = join(folder, version)
      mkdirSync(place)
      writeFileSync(join(place, 'package.json'), '{ "private": true }')
      npm(['install', '--silent', '--no-audit', '--ignore-scripts', `${name}@${version}`], place)
      const file = process.platform === 'win32' ? 'node.exe' : 'node'
      const program = join(place, 'node_modules', name, 'bin', file)
      const runs = execFileSync(program, ['--version'], { encoding: 'utf8' }).trim()
      if (runs !== `v${version}`) throw new Error(`${program} is ${runs}`)
      return { major, version, program, why: '' }
    } catch (error) {
      return { major, version, program: null, why: `${name}@${version}: ${(error as Error).message}` }
    }
  })
}

/** Returns the environment in which `node` is this program, also for what npm starts. */
export function withNode(program: string): NodeJS.ProcessEnv {
  return { ...process.env, PATH: `${dirname(program)}${delimiter}${process.env.PATH ?? ''}` }
}

function newest(name: string, major: number): string {
  const printed = npm(['view', `${name}@${major}`, 'version', '--json'], process.cwd())
  const versions = [JSON.parse(printed) as string | string[]].flat()
  const [last] = versions.sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
  if (last === undefined) throw new Error(`the npm registry lists no version`)
  return last
}

function npm(args: readonly string[], cwd: string): string {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}
