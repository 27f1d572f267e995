/**
 * The sources of this checkout as JavaScript, which a process loads in a third of the time that it takes to compile them as it
 * reads them. They lie in node_modules/.cache, below a digest of all sources, so that what is compiled is never stale.
 * Plain JavaScript, because it runs before anything is compiled.
 *
 * In a compiled file `import.meta.url` is still the address of its source, where everything lies that the code reads;
 * `import.meta.filename` is the file that runs.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = new URL('../', import.meta.url)
const CACHE = new URL('node_modules/.cache/plumbline/', ROOT)
const ROOMS = ['src', 'conformance', 'property', 'scenarios']
const SOURCE = /(?<!\.test|\.d)\.ts$/
/** A relative import of a source, as the formatter leaves it. */
const IMPORT = /\b(from |import )(')(\.[^'\n]+)\.ts'|\b(import\()(')(\.[^'\n]+)\.ts'/g
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
  const digest = createHash('sha256')
    .update(readFileSync(new URL(import.meta.url)))
    .update(ROOT.href)
  for (const [path, text] of sources) digest.update(`\n${path}\n`).update(text)
  const name = `compiled-${digest.digest('hex').slice(0, 32)}`
  const folder = new URL(`${name}/`, CACHE)
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder
  const { transform } = await import('esbuild')
  const aside = new URL(`${name}.${process.pid}/`, CACHE)
  try {
    await Promise.all(sources.map(([path, text]) => compile(transform, path, text, aside)))
    writeFileSync(new URL('package.json', aside), '{ "type": "module" }\n')
    renameSync(aside, folder)
  } catch (error) {
    rmSync(aside, { recursive: true, force: true })
    // Another process was first.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
  removeOld()
  return folder
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

async function compile(transform, path, text, folder) {
  const source = new URL(path, ROOT)
  const { code } = await transform(
    text.replaceAll(IMPORT, (_, before, quote, at, call, other, then) =>
      before === undefined ? `${call}${other}${then}.js'` : `${before}${quote}${at}.js'`,
    ),
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

function removeOld() {
  const folders = readdirSync(CACHE)
    .filter((name) => /^compiled-[0-9a-f]+$/.test(name))
    .map((name) => new URL(`${name}/`, CACHE))
    .map((folder) => ({ folder, madeMs: statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((one, other) => other.madeMs - one.madeMs)
  for (const { folder } of folders.slice(KEPT)) rmSync(folder, { recursive: true, force: true })
}
