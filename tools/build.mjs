/**
 * Builds dist/ for this checkout; with `--if-stale` unless it is up to date, with `--package` for npm and with the types of the API.
 */
import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { build } from './build/build.mjs'
import { buildIfStale } from './build/fresh.mjs'
import { ROOT } from './build/sources.mjs'

if (process.argv.includes('--package')) {
  await build({ forPackage: true })
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: ROOT, stdio: 'inherit' })
} else await (process.argv.includes('--if-stale') ? buildIfStale() : build())
