/**
 * Builds the contents of the package into dist/: the sources as JavaScript with their types, the files that they
 * read, and the packages that it carries. A checkout runs without it.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { caseIndex } from '../src/cli/caseIndex.ts'
import { allPlaces } from '../src/cli/main.ts'
import { bundleVerifier } from '../src/recordings/browser/bundle.ts'
import { describeSources } from '../src/recordings/record/environment.ts'
import { bundlePageScript } from '../src/reporting/html/assets.ts'
import { vendor } from './package/vendor.ts'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const DIST = join(ROOT, 'dist')
/** Folders with files that the code reads or starts as they are. */
const READ = ['src/service/store', 'src/reporting/html/styles', 'property/failures', 'scenarios']

rmSync(DIST, { recursive: true, force: true })
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')
execFileSync(process.execPath, [tsc, '-p', join(ROOT, 'tsconfig.build.json')], { stdio: 'inherit' })

const files = readdirSync(DIST, { recursive: true, encoding: 'utf8' })
for (const file of files.filter((name) => name.endsWith('.d.ts'))) {
  const path = join(DIST, file)
  writeFileSync(path, withBuiltEndings(readFileSync(path, 'utf8')))
}
for (const folder of READ) {
  const filter = (path: string) => !path.endsWith('.ts')
  cpSync(join(ROOT, folder), join(DIST, folder), { recursive: true, filter })
}
writeFileSync(join(DIST, 'src/reporting/html/page.js'), bundlePageScript())
writeFileSync(join(DIST, 'src/recordings/browser/verifier.deflated'), bundleVerifier())
await vendor(DIST, ROOT)
writeFileSync(join(DIST, 'built-from.json'), `${JSON.stringify(describeSources(), null, 2)}\n`)
// What a command reads in place of all that it is made of; nothing of the package changes, so no digest is compared.
mkdirSync(join(DIST, 'kept'))
for (const [name, value] of Object.entries({ cases: await caseIndex(), places: await allPlaces() }))
  writeFileSync(join(DIST, 'kept', `${name}.json`), `${JSON.stringify({ sources: '', value })}\n`)

/** The compiler rewrites the endings of imports in JavaScript, but not those in declarations. */
function withBuiltEndings(declarations: string): string {
  return declarations.replaceAll(/(from |import\()(['"])(\.[^'"]+)\.ts\2/g, '$1$2$3.js$2')
}
