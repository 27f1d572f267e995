import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'

/** What is written into every page. */
export interface PageAssets {
  readonly style: string
  readonly script: string
}

const STYLES = ['base', 'summary', 'lists', 'exchange', 'tables', 'timeline', 'print'] as const

let known: PageAssets | null = null

/** The page's stylesheet, and its script as one piece of JavaScript; built once in a process. */
export function pageAssets(): PageAssets {
  known ??= {
    style: STYLES.map((name) => readFileSync(new URL(`./styles/${name}.css`, import.meta.url), 'utf8')).join(
      '\n',
    ),
    script: bundle(),
  }
  return known
}

function bundle(): string {
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
  // `</script` within a string would end the element that holds the script.
  return (file?.text ?? '').replaceAll('</', '<\\/')
}
