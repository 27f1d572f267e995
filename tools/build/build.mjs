/**
 * Bundles the sources into dist/, for a checkout or for the package: one flat folder of programs, of the modules that the API
 * exports, and of the chunks that these share, so that a process reads few files. Next to them lies what is made of the sources once.
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
/** Installed with the package. Everything else that the sources import becomes part of it. */
const INSTALLED = ['dependencies', 'optionalDependencies', 'peerDependencies'].flatMap((kind) =>
  Object.keys(manifest[kind]),
)
/** Libraries of hundreds of small files, which a checkout bundles, too: reading these takes longer than all of the sources. */
const SCATTERED = /^(viem|zod|kysely|js-sha3|@ethereumjs\/.*)$/
const SWAGGER = '@fastify/swagger-ui'
/** Where that package, bundled, finds its page. */
const STATIC = 'swagger-ui/static'
/** A library that is no ECMAScript module asks for `require`, and one for its folder. */
const BANNER = `import { createRequire as requireFrom } from 'node:module';
const require = requireFrom(import.meta.url), builtFolder = import.meta.dirname;`
/** Chunks of earlier builds are kept so long for processes that run them. */
const KEPT_MS = 24 * 60 * 60 * 1_000

/**
 * Writes each file whole, the stamp last. Chunks are named by their contents, so that a process that started with an earlier build
 * goes on with its own, and a build that was killed leaves a stale one.
 *
 * @param {{ forPackage?: boolean }} options the package leaves its dependencies to npm, and holds no file of an earlier build
 * @returns {Promise<readonly esbuild.Metafile[]>} of what everything that it holds was made
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
  // A source that changed meanwhile may be in some of this and not in the rest.
  if (stamp !== newestSource()) return build({ forPackage })
  // Its bundles name files with their licences, which are not in that package.
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

/** Keeps what a module says of its own place: in a source `import.meta.url` is its address in the checkout or in the package. */
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

/** Returns the files of which a build holds something: what nothing calls is left out of it. */
function heldInputs({ outputs }) {
  return Object.values(outputs).flatMap((output) =>
    Object.entries(output.inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? path : [])),
  )
}

/** Returns the script of every page of a report. */
function pageScript() {
  return forBrowsers('src/reporting/html/page/main.ts')
}

/** Returns the program that verifies recordings in a page, compressed by zlib, and whose it is. */
function verifier() {
  const ours = (name) => join(ROOT, 'src/recordings/browser', name)
  const { program, metafile } = forBrowsers('src/recordings/browser/worker.ts', {
    // A worker has no `process`, in which the second EVM looks for DEBUG.
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

/** Nobody reads half of a file, even when this process is killed or another writes the same. */
function write(name, contents) {
  const aside = join(DIST, `${name}.${process.pid}`)
  writeFileSync(aside, contents)
  renameSync(aside, join(DIST, name))
}

/** Removes what no build of the last day wrote. */
function removeOld(files) {
  const nowMs = statSync(join(DIST, STAMP)).mtimeMs
  for (const each of readdirSync(DIST, { withFileTypes: true })) {
    if (!each.isFile() || each.name === STAMP || files.has(each.name)) continue
    const path = join(DIST, each.name)
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: 0 }
    if (nowMs - mtimeMs > KEPT_MS) rmSync(path, { force: true })
  }
}
