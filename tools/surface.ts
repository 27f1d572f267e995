/**
 * Compares the public surface (exports, commands, flags, exit codes, file formats, ids) with that of the last release in
 * `tools/surface/released.json`, and fails if it breaks more than the version in package.json allows. With --write, writes that
 * file: as part of each release and, before 1.0.0, of any breaking change.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { currentSurface } from './surface/current.ts'
import { breaches, mayBreak, promises, type Surface } from './surface/surface.ts'

const RELEASED = new URL('surface/released.json', import.meta.url)
const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  readonly version: string
  readonly exports: Readonly<Record<string, unknown>>
}
const released = JSON.parse(readFileSync(RELEASED, 'utf8')) as {
  readonly version: string
  readonly surface: Surface
}
const now = currentSurface(manifest)
const broken = breaches(released.surface, now)
const isWritten = process.argv.includes('--write')
// A surface that no release has promised yet may be rewritten.
const isPromise = !(isWritten && !promises(released.version))
for (const { key, problem } of broken) console.error(`${key}: ${problem}`)
console.log(
  `${Object.keys(released.surface).length} promises of ${released.version}, ${broken.length} broken`,
)
if (broken.length > 0 && isPromise && !mayBreak(released.version, manifest.version)) {
  console.error(
    `Version ${manifest.version} may not break what ${released.version} promised (docs/stability.md): keep the old next to the new, or raise the major version. Before 1.0.0, \`npm run surface\` accepts it.`,
  )
  process.exitCode = 1
} else if (isWritten) {
  const sorted = Object.entries(now).sort(([a], [b]) => (a < b ? -1 : 1))
  const surface = Object.fromEntries(sorted)
  writeFileSync(RELEASED, `${JSON.stringify({ version: manifest.version, surface }, null, 2)}\n`)
  console.log(`${sorted.length} promises of ${manifest.version} written`)
}
