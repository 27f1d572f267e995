/**
 * Bundles the sources into dist/, for a checkout or for the package: one flat folder of programs, of the modules that the API
 * exports, and of the chunks they share, so that a process reads few files. Files derived from the sources are written next to
 * them.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { deflateSync } from 'node:zlib'
import * as esbuild from 'esbuild'
import { bundled, licences, notices } from './licences.mjs'
import { DIST, newestSource, ROOT, STAMP } from './sources.mjs'

const ENTRIES = {
  ...{ main: 'src/cli/main.ts', worker: 'src/cli/worker.ts', precomputed: 'src/cli/suites/precomputed.ts' },
  ...Object.fromEntries(
    ['index', 'vitest', 'sandbox', 'oracles', 'recorder', 'client'].map((name) => [
      name,
      `src/api/${name}.ts`,
    ]),
  ),
}
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
/** Dependencies installed with the package. Everything else that the sources import is bundled. */
const INSTALLED = ['dependencies', 'optionalDependencies', 'peerDependencies'].flatMap((kind) =>
  Object.keys(manifest[kind]),
)
/** Libraries of hundreds of small files, which a checkout bundles too: reading them takes longer than reading all sources. */
const SCATTERED = /^(viem|zod|kysely|js-sha3|@ethereumjs\/.*)$/
const SWAGGER = '@fastify/swagger-ui'
/** The folder in which that package, once bundled, looks for its page. */
const STATIC = 'swagger-ui/static'
/** Provides `require` for bundled CommonJS libraries, and a folder for one that needs its own. */
const BANNER = `import { createRequire as requireFrom } from 'node:module';
const require = requireFrom(import.meta.url), builtFolder = import.meta.dirname;`
/** Time for which chunks of earlier builds are kept, for processes that still run them. */
const KEPT_MS = 24 * 60 * 60 * 1_000

/**
 * Writes each file atomically, the stamp last. Chunks are named by their contents, so a process that started with an earlier
 * build keeps using it, and a killed build counts as stale.
 *
 * @param {{ forPackage?: boolean }} options the package leaves its dependencies to npm, and contains no file of an earlier
 *   build
 * @returns {Promise<readonly esbuild.Metafile[]>} inputs and outputs of everything it contains
 */
export async function build({ forPackage = false } = {}) {
  if (forPackage) rmSync(DIST, { recursive: true, force: true })
  mkdirSync(DIST, { recursive: true })
  const stamp = newestSource()
  const { outputFiles, metafile } = await bundle(
    forPackage
      ? { external: INSTALLED }
      : {
          external: INSTALLED.filter((name) => !SCATTERED.test(name)),
          sourcemap: true,
          sourcesContent: false,
        },
  )
  const files = new Map(outputFiles.map(({ path, contents }) => [basename(path), contents]))
  const [page, { program, licences: ofVerifier, metafile: ofProgram }] = [pageScript(), verifier()]
  files.set('page.js', page.program).set('verifier.deflated', program).set('verifier.licences', ofVerifier)
  const metafiles = [metafile, page.metafile, ofProgram]
  const inputs = metafiles.flatMap(heldInputs)
  files
    .set('LICENSES.txt', licences(inputs, ROOT))
    .set('bundled.json', `${JSON.stringify(bundled(inputs, ROOT))}\n`)
  // If a source changed meanwhile, some outputs may contain the change and others not.
  if (stamp !== newestSource()) return build({ forPackage })
  // The bundles of this package refer to licence files that it does not contain.
  mkdirSync(join(DIST, STATIC), { recursive: true })
  for (const from of [join(ROOT, 'node_modules', SWAGGER, 'static'), join(import.meta.dirname, 'swagger-ui')])
    for (const name of readdirSync(from)) write(`${STATIC}/${name}`, readFileSync(join(from, name)))
  for (const [name, contents] of files) write(name, contents)
  const { precomputed } = await import(`${pathToFileURL(join(DIST, 'precomputed.js')).href}?${stamp}`)
  for (const [name, value] of Object.entries(await precomputed())) {
    files.set(name)
    write(name, `${JSON.stringify(value)}\n`)
  }
  write(STAMP, stamp)
  removeOld(files)
  return metafiles
}

function bundle(options) {
  return esbuild.build({
    absWorkingDir: ROOT,
    entryPoints: ENTRIES,
    outdir: DIST,
    write: false,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    banner: { js: BANNER },
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    plugins: [{ name: 'addresses', setup: keepAddresses }],
    ...options,
  })
}

/** Preserves a module's own location: in a source, `import.meta.url` is its address in the checkout or in the package. */
function keepAddresses({ onLoad }) {
  onLoad({ filter: /\.ts$/ }, ({ path }) => {
    const address = JSON.stringify(`../${relative(ROOT, path).replaceAll(sep, '/')}`)
    const own = `new URL(${address}, import.meta.url).href`
    return { loader: 'ts', contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', own) }
  })
  onLoad({ filter: /@fastify[\\/]swagger-ui[\\/](index|lib[\\/].*)\.js$/ }, ({ path }) => {
    const folder = basename(dirname(path)) === 'lib' ? '/swagger-ui/lib' : '/swagger-ui'
    return { contents: readFileSync(path, 'utf8').replaceAll('__dirname', `(builtFolder + '${folder}')`) }
  })
}

/** Returns the files that a build contains code of; unused code is left out. */
function heldInputs({ outputs }) {
  return Object.values(outputs).flatMap((output) =>
    Object.entries(output.inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? path : [])),
  )
}

/** Returns the script that every page of a report uses. */
function pageScript() {
  return forBrowsers('src/reporting/html/page/main.ts')
}

/** Returns the program that verifies recordings in a page, compressed with zlib, and the licences of its packages. */
function verifier() {
  const ours = (name) => join(ROOT, 'src/recordings/browser', name)
  const { program, metafile } = forBrowsers('src/recordings/browser/worker.ts', {
    // A worker has no `process`, which the second EVM reads DEBUG from.
    banner: { js: 'globalThis.process??={env:{}};' },
    define: { PLUMBLINE_VERSION: JSON.stringify(manifest.version) },
    alias: {
      ...{ 'node:crypto': ours('nodeCrypto.ts'), 'node:fs': ours('nodeFs.ts') },
      'tiny-secp256k1': ours('curve.ts'),
    },
  })
  const compressed = deflateSync(program, { level: 9 })
  return { program: compressed, licences: notices(heldInputs(metafile), ROOT), metafile }
}

function forBrowsers(entry, options = {}) {
  const { outputFiles, metafile } = esbuild.buildSync({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    metafile: true,
    logLevel: 'silent',
    ...options,
  })
  return { program: outputFiles[0].contents, metafile }
}

/** Writes a file atomically, so that no reader sees half of it, even if this process is killed or another writes the same file. */
function write(name, contents) {
  const aside = join(DIST, `${name}.${process.pid}`)
  writeFileSync(aside, contents)
  renameSync(aside, join(DIST, name))
}

/** Removes files that no build of the last day wrote. */
function removeOld(files) {
  const nowMs = statSync(join(DIST, STAMP)).mtimeMs
  for (const each of readdirSync(DIST, { withFileTypes: true })) {
    if (!each.isFile() || each.name === STAMP || files.has(each.name)) continue
    const path = join(DIST, each.name)
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: 0 }
    if (nowMs - mtimeMs > KEPT_MS) rmSync(path, { force: true })
  }
}
