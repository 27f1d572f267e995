import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ContractsError } from './errors.ts'
import { PACKAGED_CONTRACTS, packagedHash } from './packages.ts'
import { type Contract, carriesHash, renderContract } from './render.ts'
import { compileSolidity, readSolidityFiles } from './solidity.ts'

const GENERATED = fileURLToPath(new URL('../generated/', import.meta.url))

/** A source that yields one or more generated files. */
interface Source {
  readonly origin: string
  readonly names: readonly string[]
  readonly sourceHash: string
  build(): Promise<ReadonlyMap<string, Contract>>
}

/**
 * Updates `generated`; a source is not compiled when its generated file already has its hash.
 *
 * @returns the names written or removed.
 * @throws {ContractsError} a contract does not compile, or cannot be taken from its package.
 */
export async function writeGenerated(): Promise<string[]> {
  const sources = readSources()
  const changed: string[] = []
  mkdirSync(GENERATED, { recursive: true })
  for (const source of sources) {
    if (outdated(source, GENERATED).length === 0) continue
    for (const [name, contract] of await source.build()) {
      writeFileSync(
        join(GENERATED, `${name}.ts`),
        renderContract(name, source.origin, source.sourceHash, contract),
      )
      changed.push(name)
    }
  }
  for (const name of orphans(sources, GENERATED)) {
    rmSync(join(GENERATED, `${name}.ts`))
    changed.push(name)
  }
  return changed
}

/**
 * Compares the generated files with their sources.
 *
 * @param depth `hashes` reads the hash in each file, in milliseconds; `rebuild` regenerates every file, in seconds, and so also
 * detects an edited file.
 * @returns the number of generated files that agree with their sources.
 * @throws {ContractsError} some do not; also the errors of {@link writeGenerated}.
 */
export async function checkGenerated(depth: 'hashes' | 'rebuild', directory = GENERATED): Promise<number> {
  const sources = readSources()
  const stale = orphans(sources, directory)
  for (const source of sources) {
    stale.push(...(depth === 'hashes' ? outdated(source, directory) : await different(source, directory)))
  }
  if (stale.length > 0)
    throw new ContractsError(
      `generated contract files are out of date: ${stale.sort().join(', ')}`,
      'Run `npm run contracts` and commit the changes.',
    )
  return sources.reduce((count, source) => count + source.names.length, 0)
}

/** Returns the files that were generated from a different version of the source. */
function outdated(source: Source, directory: string): string[] {
  return source.names.filter((name) => !carriesHash(readGenerated(name, directory), source.sourceHash))
}

async function different(source: Source, directory: string): Promise<string[]> {
  const built = [...(await source.build())]
  return built
    .filter(([name, contract]) => {
      const expected = renderContract(name, source.origin, source.sourceHash, contract)
      return readGenerated(name, directory) !== expected
    })
    .map(([name]) => name)
}

function readSources(): Source[] {
  const own = readSolidityFiles().map((file) => ({
    origin: file.path,
    names: file.contracts,
    sourceHash: file.sourceHash,
    build: () => compileSolidity(file),
  }))
  const packaged = PACKAGED_CONTRACTS.map((contract) => ({
    origin: `the npm package ${contract.package}`,
    names: [contract.name],
    sourceHash: packagedHash(contract),
    build: async () => new Map([[contract.name, contract.read()]]),
  }))
  const sources = [...own, ...packaged]
  const seen = new Map<string, string>()
  for (const { names, origin } of sources) {
    for (const name of names) {
      const other = seen.get(name)
      if (other !== undefined) {
        throw new ContractsError(`${name}: both ${other} and ${origin} define it`, 'Rename one of the two.')
      }
      seen.set(name, origin)
    }
  }
  return sources
}

/** Generated files without a source. */
function orphans(sources: readonly Source[], directory: string): string[] {
  const known = new Set(sources.flatMap((source) => source.names))
  const present = existsSync(directory) ? readdirSync(directory) : []
  return present.map((file) => file.replace(/\.ts$/, '')).filter((name) => !known.has(name))
}

function readGenerated(name: string, directory: string): string {
  const path = join(directory, `${name}.ts`)
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}
