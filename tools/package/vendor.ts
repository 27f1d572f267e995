import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, posix, relative, sep } from 'node:path'
import { build, type Plugin } from 'esbuild'

/**
 * The packages that become part of ours: a consumer would install them together with the hundred packages that they need, and with
 * versions of those that nobody tried. They are development dependencies, and no type of the API may name them.
 */
const VENDORED = [
  '@fastify/rate-limit',
  '@fastify/swagger',
  '@fastify/swagger-ui',
  '@viem/anvil',
  'chokidar',
  'cli-table3',
  'commander',
  'escape-goat',
  'fast-check',
  'fastify',
  'fastify-type-provider-zod',
  'get-port',
  'junit-report-builder',
  'leven',
  'micro-packed',
  'ora',
  'pg-boss',
  'picocolors',
  'pino',
  'prom-client',
]
/** An import or a re-export with its names, as the compiler writes it. */
const IMPORT = /^import (.+) from '([^'.][^']*)';$/gm
/** Files of a package that its code reads, and where its code lies. */
const PAGE = '@fastify/swagger-ui'
/** CommonJS inside a module has no `require` and no folder of its own. */
const BANNER = [
  `import { createRequire as vendorCreateRequire } from 'node:module';`,
  `import { fileURLToPath as vendorPath } from 'node:url';`,
  `const require = vendorCreateRequire(import.meta.url);`,
  `const vendorFolder = vendorPath(new URL('.', import.meta.url));`,
].join('\n')

/**
 * Puts the vendored packages into `dist/vendor`, with no more of them than the code uses and with their licences, and makes the code
 * import them from there.
 *
 * @param dist the folder of the compiled code
 * @param root the folder with package.json
 * @throws {Error} package.json lists a vendored package as a dependency
 */
export async function vendor(dist: string, root: string): Promise<void> {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    dependencies: Readonly<Record<string, string>>
  }
  const twice = VENDORED.filter((name) => dependencies[name] !== undefined)
  if (twice.length > 0) throw new Error(`${twice.join(', ')}: vendored, so make them devDependencies`)
  const folder = join(dist, 'vendor')
  mkdirSync(folder)
  const names = redirectImports(dist)
  const entries = Object.fromEntries(
    VENDORED.map((name) => {
      const used = [...(names.get(name) ?? [])].sort()
      if (used.length === 0) throw new Error(`${name} is vendored, and no code imports it`)
      return [fileOf(name), `export { ${used.join(', ')} } from '${name}'`]
    }),
  )
  const { metafile } = await build({
    entryPoints: Object.keys(entries).map((name) => ({ in: `vendored:${name}`, out: name })),
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: Object.keys(dependencies),
    banner: { js: BANNER },
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    metafile: true,
    absWorkingDir: root,
    logLevel: 'warning',
    plugins: [plugin(entries, root)],
  })
  cpSync(join(root, 'node_modules', PAGE, 'static'), join(folder, fileOf(PAGE), 'static'), {
    recursive: true,
  })
  writeFileSync(join(folder, 'LICENSES.txt'), licences(Object.keys(metafile.inputs), root))
}

function fileOf(name: string): string {
  return name.replace('@', '').replace('/', '-')
}

/** Makes the compiled code import the vendored packages from `dist/vendor`. Returns the names that it imports of each. */
function redirectImports(dist: string): ReadonlyMap<string, ReadonlySet<string>> {
  const names = new Map<string, Set<string>>()
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.js'),
  )
  for (const file of files) {
    const path = join(dist, file)
    const code = readFileSync(path, 'utf8')
    const changed = code.replaceAll(IMPORT, (line, what: string, name: string) => {
      if (!VENDORED.includes(name)) return line
      const used = names.get(name) ?? new Set()
      names.set(name, used)
      for (const each of importedNames(what)) used.add(each)
      const to = posix.join(
        relative(dirname(path), dist).replaceAll(sep, '/'),
        'vendor',
        `${fileOf(name)}.js`,
      )
      return `import ${what} from '${to}';`
    })
    if (changed !== code) writeFileSync(path, changed)
    const missed = VENDORED.find((name) => new RegExp(`(from|import\\()\\s*['"]${name}['"/]`).test(changed))
    if (missed !== undefined)
      throw new Error(`${file} imports ${missed} in a way that tools/package/vendor.ts does not read`)
  }
  return names
}

/** `a, { b, c as d }` imports `default`, `b` and `c`. */
function importedNames(what: string): readonly string[] {
  const [, alone, braces = ''] = what.match(/^(\w+)?(?:, )?(?:\{ ?(.*?) ?\})?$/) ?? []
  const named = braces.split(', ').map((each) => each.split(' as ')[0] ?? '')
  return [...(alone === undefined ? [] : ['default']), ...named.filter((each) => each !== '')]
}

function plugin(entries: Readonly<Record<string, string>>, root: string): Plugin {
  // What is installed may be reached by a link, and the bundler says where a file really is.
  const page = realpathSync(join(root, 'node_modules', PAGE))
  return {
    name: 'vendor',
    setup(setup) {
      setup.onResolve({ filter: /^vendored:/ }, ({ path }) => ({
        path: path.replace('vendored:', ''),
        namespace: 'vendored',
      }))
      setup.onLoad({ filter: /./, namespace: 'vendored' }, ({ path }) => ({
        contents: entries[path] ?? '',
        resolveDir: root,
      }))
      setup.onLoad({ filter: /@fastify[\\/]swagger-ui[\\/].*\.js$/ }, ({ path }) => {
        const own = relative(page, dirname(path)).replaceAll(sep, '/')
        const place = JSON.stringify(`/${fileOf(PAGE)}/${own}`)
        return { contents: readFileSync(path, 'utf8').replaceAll('__dirname', `(vendorFolder + ${place})`) }
      })
    },
  }
}

/** Returns the licence of each package of which something is used. */
function licences(inputs: readonly string[], root: string): string {
  const packages = new Set(
    inputs.flatMap((path) => path.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0] ?? []),
  )
  return [...packages]
    .sort()
    .map((path) => {
      const folder = join(root, path)
      const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
        name: string
        version: string
        license?: string
      }
      const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each))
      const text =
        file !== undefined && existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : ''
      return `${name} ${version}: ${license ?? 'see below'}\n\n${text.trim()}\n`
    })
    .join(`\n${'-'.repeat(80)}\n\n`)
}
