import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { writeWhole } from '../writeWhole.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
/** In the checkout, so that packages that are not bundled are found. */
const CACHE = join(ROOT, 'node_modules/.cache/plumbline')

/** Keeps the value of `import.meta.url` in each module. */
const addresses: Plugin = {
  name: 'addresses',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const own = JSON.stringify(pathToFileURL(path).href)
      return { loader: 'ts', contents: (await readFile(path, 'utf8')).replaceAll('import.meta.url', own) }
    })
  },
}

/**
 * Bundles sources of this checkout into one module for the processes of tests, which would otherwise spend most of their time on
 * compiling. @returns its path.
 */
export async function bundled(...sources: readonly URL[]): Promise<string> {
  const exported = sources.map((source) => `export * from ${JSON.stringify(fileURLToPath(source))}`)
  const { outputFiles } = await build({
    stdin: { contents: exported.join('\n'), resolveDir: ROOT },
    ...{ bundle: true, write: false, format: 'esm', platform: 'node', packages: 'external' },
    ...{ logLevel: 'error', plugins: [addresses] },
  })
  const text = outputFiles[0]?.text ?? ''
  const path = join(CACHE, `${createHash('sha256').update(text).digest('hex')}.mjs`)
  writeWhole(path, text)
  return path
}

/** Returns the arguments with which Node runs the text of a program. */
export function evaluated(program: string): readonly string[] {
  return ['--input-type=module', '--eval', program]
}
