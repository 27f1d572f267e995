import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

/** What is written into every page. */
export interface PageAssets {
  readonly style: string
  readonly script: string
}

const STYLES = ['base', 'summary', 'lists', 'exchange', 'tables', 'timeline', 'print'] as const

/** Where a package holds the page's script; a checkout makes it of the sources when it is needed. */
const BUILT_SCRIPT = new URL('./page.js', import.meta.url)

let known: PageAssets | null = null

/** The page's stylesheet, and its script as one piece of JavaScript; built once in a process. */
export function pageAssets(): PageAssets {
  known ??= {
    style: STYLES.map((name) => readFileSync(new URL(`./styles/${name}.css`, import.meta.url), 'utf8')).join(
      '\n',
    ),
    // `</script` within a string would end the element that holds the script.
    script: (existsSync(BUILT_SCRIPT) ? readFileSync(BUILT_SCRIPT, 'utf8') : bundlePageScript()).replaceAll(
      '</',
      '<\\/',
    ),
  }
  return known
}

/** The script of the page as one piece, from its sources. */
export function bundlePageScript(): string {
  // Only a checkout has it, and only a report asks for it.
  const { buildSync } = createRequire(import.meta.url)('esbuild') as typeof import('esbuild')
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(new URL('./page/main.ts', import.meta.url))],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    minify: true,
    // Without it, the page's own tsconfig would be looked for, and its absence in a package would matter.
    tsconfigRaw: '{}',
  })
  const [file] = outputFiles
  return file?.text ?? ''
}
