/**
 * Builds dist/ for this checkout. `--if-stale`: only if it is out of date. `--package`: for npm, with the types of the API and
 * a bill of materials.
 */
import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { writeBillOfMaterials } from './build/bom.mjs'
import { build } from './build/build.mjs'
import { buildIfStale } from './build/fresh.mjs'
import { ROOT } from './build/sources.mjs'

if (process.argv.includes('--package')) {
  const metafiles = await build({ forPackage: true })
  writeBillOfMaterials(metafiles)
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: ROOT, stdio: 'inherit' })
} else await (process.argv.includes('--if-stale') ? buildIfStale() : build())
