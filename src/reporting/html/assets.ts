import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

/** The stylesheet and the script of every page. */
export interface PageAssets {
  readonly style: string
  readonly script: string
}

const STYLES = ['base', 'summary', 'lists', 'exchange', 'tables', 'timeline', 'selfCheck', 'print'] as const

/** The script's path in the package; a checkout builds it from the sources when needed. */
const BUILT_SCRIPT = new URL('./page.js', import.meta.url)

let known: PageAssets | null = null

/** Returns the page's stylesheet and its bundled script; built once per process. */
export function pageAssets(): PageAssets {
  known ??= {
    style: STYLES.map((name) => readFileSync(new URL(`./styles/${name}.css`, import.meta.url), 'utf8')).join(
      '\n',
    ),
    script: existsSync(BUILT_SCRIPT) ? readFileSync(BUILT_SCRIPT, 'utf8') : bundlePageScript(),
  }
  return known
}

/** Bundles the page's script from its sources. No string in it closes the script element: esbuild escapes `</script`. */
export function bundlePageScript(): string {
  // Only a checkout has esbuild, and only a report needs it.
  const { buildSync } = createRequire(import.meta.url)('esbuild') as typeof import('esbuild')
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(new URL('./page/main.ts', import.meta.url))],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    minify: true,
    // Without this option esbuild would look for the page's tsconfig, which a package does not have.
    tsconfigRaw: '{}',
  })
  const [file] = outputFiles
  return file?.text ?? ''
}
