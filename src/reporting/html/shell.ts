import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { html, Markup } from './markup.ts'
import type { PageData } from './pageData.ts'

/** The last bytes of a complete page. A page without them is truncated and shows a warning. */
export const PAGE_END = '<i id="end" hidden></i></body></html>\n'

export interface Page {
  readonly title: string
  /** Shown next to the name of the project on every screen. */
  readonly about: string
  /** Sections of the page: fragment, title, number of entries. */
  readonly contents: readonly (readonly [id: string, name: string, count: number | null])[]
  readonly main: Markup
  /** True if the page needs its whole width, so that the contents are above it instead of next to it. */
  readonly isWide?: boolean
  /** The data of the page's script; default: there are no cases. */
  readonly data?: Partial<PageData>
}

/**
 * Returns a self-contained HTML page: it opens from disk, uses no network, and can be printed. It starts with a warning that it
 * is truncated, which only its last element removes.
 */
export function renderPage({ title, about, contents, main, data = {}, isWide = false }: Page): string {
  const { style, script } = pageAssets()
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src '${hashOf(script)}'; worker-src blob:; base-uri 'none'; form-action 'none'">
<title>${title}</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(ICON)}">
<style>${new Markup(style)}</style></head>
<body><p class="cut-off" role="alert"><b>This report is truncated.</b> Its end is missing. Write it again with <code>plumbline report</code>.</p>
<a class="skip" href="#main">Skip to the verdict</a>
<header class="top">${new Markup(LOGO)}<span class="brand">Plumbline</span> <span class="muted">${about}</span>
<button type="button" class="quiet theme" data-theme-switch>Theme<span class="sr">: light or dark</span></button></header>
<div class="frame${isWide && ' is-wide'}"><nav class="toc" aria-label="Contents"><ul>${contents.map(
    ([id, name, count]) =>
      html`<li><a href="#${id}">${name}${count !== null && html` <span class="muted">${count.toLocaleString('en')}</span>`}</a></li>`,
  )}</ul></nav>
<main id="main" tabindex="-1">
${main}
</main></div>
<p id="said" class="sr" role="status"></p>
<script type="application/json" id="data">${new Markup(embedded(data))}</script>
<script>${new Markup(script)}</script>
`
  return page.text + PAGE_END
}

const STYLES = ['base', 'summary', 'lists', 'exchange', 'tables', 'timeline', 'selfCheck', 'print'] as const

let known: { readonly style: string; readonly script: string } | null = null

/** Returns the page's stylesheet and its bundled script; read once per process. */
export function pageAssets() {
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

/** Returns JSON without `<`, so that nothing in it can close the surrounding element. */
function embedded(data: Partial<PageData>): string {
  const all: PageData = { cases: [], baseUrl: null, clauses: {}, ...data }
  return JSON.stringify(all).replaceAll('<', '\\u003c')
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}`
}

const SHAPE =
  '<path d="M8 1v7" stroke="currentColor" stroke-width="1.4"/><path d="M5 8h6l-3 7z" fill="currentColor"/>'
const LOGO = `<svg class="logo" viewBox="0 0 16 16" width="20" height="20" aria-hidden="true">${SHAPE}</svg>`
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" color="#1f5f8b">${SHAPE}</svg>`
