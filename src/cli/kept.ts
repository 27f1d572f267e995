import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { writeWhole } from '../host/writeWhole.ts'

const ROOT = new URL('../../', import.meta.url)
/** A package holds what was made of its sources, which it does not hold, in a folder that `npm run build` writes. */
const IS_BUILT = import.meta.url.endsWith('.js')
/** What decides everything that is kept: the sources, and the versions of the libraries that they use. */
const SOURCES = ['src', 'conformance', 'property', 'scenarios'] as const
const LOCKFILE = 'package-lock.json'

interface Kept {
  /** Digest of the sources that the value was made of. */
  readonly sources: string
  readonly value: unknown
}

/** Where things are kept, and of which sources they must be. */
interface Place {
  readonly folder: URL
  /** Null: whatever is kept there is right, and nothing may be written. */
  readonly sources: string | null
}

/**
 * Returns what `make` makes of the sources alone, as JSON: kept for as long as no source changes, so that a command which needs only
 * this loads none of what it is made of. A checkout compares the contents of all sources each time.
 */
export async function keptOf<Value>(
  name: string,
  make: () => Promise<Value>,
  { folder, sources }: Place = placeOf(),
): Promise<Value> {
  const path = fileURLToPath(new URL(`${name}.json`, folder))
  const kept = readKept(path)
  if (kept !== null && (sources === null || kept.sources === sources)) return kept.value as Value
  const value = await make()
  if (sources !== null) keep(path, { sources, value })
  return value
}

function placeOf(): Place {
  if (IS_BUILT) return { folder: new URL('kept/', ROOT), sources: null }
  return { folder: new URL('node_modules/.cache/plumbline/', ROOT), sources: digestOfSources() }
}

function digestOfSources(): string {
  const digest = createHash('sha256').update(readFileSync(new URL(LOCKFILE, ROOT)))
  for (const room of SOURCES) {
    const files = readdirSync(new URL(room, ROOT), { recursive: true, encoding: 'utf8' })
    for (const file of files.filter((name) => /(?<!\.test)\.(ts|json)$/.test(name)).sort())
      digest.update(`\n${room}/${file}\n`).update(readFileSync(new URL(`${room}/${file}`, ROOT)))
  }
  return digest.digest('hex')
}

function readKept(path: string): Kept | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Kept
  } catch {
    return null
  }
}

/** Where nothing can be written, the next command makes it again. */
function keep(path: string, kept: Kept): void {
  try {
    writeWhole(path, `${JSON.stringify(kept)}\n`)
  } catch {
    // Only time is lost.
  }
}
