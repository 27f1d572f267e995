import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { deflateSync } from 'node:zlib'
import { plumblineVersion } from '../../host/version.ts'

/** The verifier's path in the package; a checkout builds it from the sources when needed. */
const BUILT = new URL('./verifier.deflated', import.meta.url)

let known: string | undefined

/** Returns the program that verifies recordings in a page (`worker.ts` and all that it imports): compressed by zlib, in Base64. */
export function verifierForPages(): string {
  known ??= (existsSync(BUILT) ? readFileSync(BUILT) : bundleVerifier()).toString('base64')
  return known
}

/** Bundles the verifier from its sources, compressed by zlib. */
export function bundleVerifier(): Buffer {
  // Only a checkout has esbuild, and only a page of a recording needs it.
  const { buildSync } = createRequire(import.meta.url)('esbuild') as typeof import('esbuild')
  const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
  const { outputFiles } = buildSync({
    entryPoints: [here('./worker.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    // A worker has no `process`, in which the second EVM looks for DEBUG.
    banner: { js: 'globalThis.process??={env:{}};' },
    define: { PLUMBLINE_VERSION: JSON.stringify(plumblineVersion()) },
    alias: { 'node:crypto': here('./nodeCrypto.ts'), 'node:fs': here('./nodeFs.ts') },
    tsconfigRaw: '{}',
    logLevel: 'silent',
  })
  const [file] = outputFiles
  return deflateSync(file?.contents ?? '', { level: 9 })
}
