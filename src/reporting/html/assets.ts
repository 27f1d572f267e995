import { readFileSync } from 'node:fs'

export interface PageAssets {
  readonly style: string
  readonly script: string
}

const STYLES = ['base', 'summary', 'lists', 'exchange', 'tables', 'timeline', 'selfCheck', 'print'] as const

let known: PageAssets | null = null

/** Returns the page's stylesheet and its bundled script; read once per process. */
export function pageAssets(): PageAssets {
  known ??= {
    style: STYLES.map((name) => read(`./styles/${name}.css`)).join('\n'),
    // No string in it closes the script element: esbuild escapes `</script`.
    script: read('../../../dist/page.js'),
  }
  return known
}

function read(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8')
}
