import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeTemporaryFolder } from '../../src/host/temporary.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** A package as it would be published. */
export interface Packed {
  /** In a temporary directory, which is removed afterwards. */
  readonly archive: string
  readonly packedBytes: number
  readonly unpackedBytes: number
  readonly files: readonly string[]
}

/** Builds and packs a checkout, this one by default, and calls `use` with the package. */
export async function withPackage<T>(
  use: (packed: Packed) => Promise<T> | T,
  checkout: string = ROOT,
): Promise<T> {
  const { path: directory, remove } = makeTemporaryFolder('package')
  try {
    const printed = execFileSync('npm', ['pack', '--json', '--silent', '--pack-destination', directory], {
      cwd: checkout,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [about] = JSON.parse(printed) as [
      { filename: string; size: number; unpackedSize: number; files: { path: string }[] },
    ]
    return await use({
      archive: join(directory, about.filename),
      packedBytes: about.size,
      unpackedBytes: about.unpackedSize,
      files: about.files.map(({ path }) => path),
    })
  } finally {
    remove()
  }
}

/** Returns the size of a package in words: `0.7 MB packed, 4.1 MB unpacked, 1018 files`. */
export function describeSize({ packedBytes, unpackedBytes, files }: Packed): string {
  const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`
  return `${megabytes(packedBytes)} packed, ${megabytes(unpackedBytes)} unpacked, ${files.length} files`
}
