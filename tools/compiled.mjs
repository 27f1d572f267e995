/**
 * The sources of this checkout as JavaScript, which a process loads in a third of the time that it takes to compile them as it
 * reads them. They lie in node_modules/.cache, below a digest of all sources, so that what is compiled is never stale.
 * Plain JavaScript, because it runs before anything is compiled.
 *
 * Libraries of hundreds of small modules are bundled next to them: reading each module takes longer than all of the sources.
 *
 * In a compiled file `import.meta.url` is still the address of its source, where everything lies that the code reads;
 * `import.meta.filename` is the file that runs.
 */
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = new URL('../', import.meta.url)
const CACHE = new URL('node_modules/.cache/plumbline/', ROOT)
const ROOMS = ['src', 'conformance', 'property', 'scenarios']
const SOURCE = /(?<!\.test|\.d)\.ts$/
/** A relative import of a source, as the formatter leaves it. */
const IMPORT = /\b(from |import )(')(\.[^'\n]+)\.ts'|\b(import\()(')(\.[^'\n]+)\.ts'/g
/** Packages that nothing but the sources loads, so that no second copy of them is in a process. */
const BUNDLED = {
  viem: ['viem', 'viem/accounts'],
  kysely: ['kysely'],
  ...Object.fromEntries(
    ['block', 'common', 'tx', 'util', 'vm'].map((part) => [`@ethereumjs/${part}`, [`@ethereumjs/${part}`]]),
  ),
}
/** What they load only for connections that are never made, with modules of its own; and what asks Node for its terminal. */
const UNBUNDLED = ['isows', 'ws', 'debug']
const LIBRARY = /\bfrom '((?:@[a-z]+\/)?[a-z]+(?:\/[a-z]+)?)'/g
/** How many compiled states of the sources are kept, such as those of other branches. */
const KEPT = 10
/** The folder cannot be written: the checkout, or what is installed in it, belongs to somebody else. */
const UNWRITABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC'])

/**
 * The address of the module to load for a source of this checkout: what it was compiled to, or where nothing can be kept the
 * source itself, which is then compiled as it is read. A file that is no source of this checkout stays as it is.
 *
 * @param {URL} source
 * @returns {Promise<URL>}
 * @throws {Error} with the code ERR_MODULE_NOT_FOUND: the development dependencies are not installed
 */
export async function compiledFrom(source) {
  if (!source.href.startsWith(ROOT.href)) return source
  try {
    const folder = await compileSources()
    process.setSourceMapsEnabled(true)
    return new URL(compiledName(source.href.slice(ROOT.href.length)), folder)
  } catch (error) {
    if (!UNWRITABLE.has(error.code)) throw error
    const { register } = await import('tsx/esm/api')
    register()
    return source
  }
}

/** The folder of the compiled sources as they are now. */
async function compileSources() {
  const sources = readSources()
  const { digest: libraries, entries } = installedLibraries()
  const digest = createHash('sha256').update(libraries).update(ROOT.href)
  for (const [path, text] of sources) digest.update(`\n${path}\n`).update(text)
  return made(`compiled-${digest.digest('hex').slice(0, 32)}`, async (aside) => {
    const { transform, build } = await import('esbuild')
    const bundles = await made(`libraries-${libraries}`, (within) => bundle(build, entries, within))
    const library = (name) =>
      entries.has(name) ? new URL(`${entries.get(name)}.js`, bundles).href : undefined
    await Promise.all(sources.map(([path, text]) => compile({ transform, library }, path, text, aside)))
  })
}

/**
 * The folder of this name in the cache; where it is missing, `make` fills one aside that then takes its place.
 *
 * @param {string} name
 * @param {(aside: URL) => Promise<void>} make
 * @returns {Promise<URL>}
 */
async function made(name, make) {
  const folder = new URL(`${name}/`, CACHE)
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder
  const aside = new URL(`${name}.${process.pid}/`, CACHE)
  try {
    await make(aside)
    writeFileSync(new URL('package.json', aside), '{ "type": "module" }\n')
    renameSync(aside, folder)
  } catch (error) {
    rmSync(aside, { recursive: true, force: true })
    // Another process was first.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
  removeOld(/^[a-z]+/.exec(name)[0])
  return folder
}

/** The libraries to bundle that are installed: a digest of their versions and of this file, and the file name of each entry. */
function installedLibraries() {
  const digest = createHash('sha256').update(readFileSync(new URL(import.meta.url)))
  const entries = new Map()
  for (const [name, paths] of Object.entries(BUNDLED)) {
    const file = new URL(`node_modules/${name}/package.json`, ROOT)
    if (!existsSync(file)) continue
    digest.update(readFileSync(file))
    for (const path of paths) entries.set(path, path.replaceAll('/', '-'))
  }
  return { digest: digest.digest('hex').slice(0, 32), entries }
}

async function bundle(build, entries, folder) {
  mkdirSync(fileURLToPath(folder), { recursive: true })
  if (entries.size === 0) return
  await build({
    entryPoints: [...entries].map(([name, out]) => ({ in: name, out })),
    absWorkingDir: fileURLToPath(ROOT),
    outdir: fileURLToPath(folder),
    bundle: true,
    // What two entries share is one module, and its classes are the same.
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    external: UNBUNDLED,
    logLevel: 'silent',
  })
}

/** Path and text of every source, in the order of their paths. */
function readSources() {
  return ROOMS.flatMap((room) =>
    readdirSync(new URL(room, ROOT), { recursive: true, encoding: 'utf8' })
      .filter((file) => SOURCE.test(file))
      .map((file) => `${room}/${file.replaceAll('\\', '/')}`)
      .sort()
      .map((path) => [path, readFileSync(new URL(path, ROOT), 'utf8')]),
  )
}

async function compile({ transform, library }, path, text, folder) {
  const source = new URL(path, ROOT)
  const { code } = await transform(
    text
      .replaceAll(IMPORT, (_, before, quote, at, call, other, then) =>
        before === undefined ? `${call}${other}${then}.js'` : `${before}${quote}${at}.js'`,
      )
      .replaceAll(LIBRARY, (whole, name) => {
        const bundled = library(name)
        return bundled === undefined ? whole : `from '${bundled}'`
      }),
    {
      loader: 'ts',
      format: 'esm',
      target: 'node20.19',
      define: { 'import.meta.url': JSON.stringify(source.href) },
      sourcemap: 'inline',
      sourcesContent: false,
      sourcefile: fileURLToPath(source),
      tsconfigRaw: { compilerOptions: { target: 'ES2023', verbatimModuleSyntax: true } },
    },
  )
  const file = fileURLToPath(new URL(compiledName(path), folder))
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, code)
}

function compiledName(path) {
  return path.replace(/\.ts$/, '.js')
}

/** Removes the oldest folders of a kind. */
function removeOld(kind) {
  const folders = readdirSync(CACHE)
    .filter((name) => name.startsWith(`${kind}-`) && /^[a-z]+-[0-9a-f]+$/.test(name))
    .map((name) => new URL(`${name}/`, CACHE))
    .map((folder) => ({ folder, madeMs: statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((one, other) => other.madeMs - one.madeMs)
  for (const { folder } of folders.slice(KEPT)) rmSync(folder, { recursive: true, force: true })
}
