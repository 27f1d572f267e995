import { createHash } from 'node:crypto'
import { type PageAssets, pageAssets } from './assets.ts'
import { html, Markup } from './markup.ts'

/** The last bytes of a whole page. A page without them was cut off, and says so to whoever opens it. */
const PAGE_END = '<i id="end" hidden></i></body></html>\n'

/** What makes a page. */
export interface Page {
  readonly title: string
  /** Stands beside the name of the project, on every screen. */
  readonly about: string
  /** Fragments of the page, what they are called, and how much is there. */
  readonly contents: readonly (readonly [id: string, name: string, count: number | null])[]
  readonly main: Markup
  /** What the page's script works on; plain JSON. */
  readonly data: unknown
}

/**
 * One HTML page that needs nothing else: it opens from disk, asks no network, and works on paper. It begins with the
 * warning that it was cut off, which only its last element takes away.
 */
export function renderPage(
  { title, about, contents, main, data }: Page,
  assets: PageAssets = pageAssets(),
): string {
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src '${hashOf(assets.script)}'; base-uri 'none'; form-action 'none'">
<title>${title}</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(ICON)}">
<style>${new Markup(assets.style)}</style></head>
<body><p class="cut-off" role="alert"><b>This report was cut off.</b> Its end is missing: what you see is not the whole run. Write it again with <code>plumbline report</code>.</p>
<a class="skip" href="#main">Skip to the verdict</a>
<header class="top">${new Markup(LOGO)}<span class="brand">Plumbline</span> <span class="muted">${about}</span>
<button type="button" class="quiet theme" data-theme-switch>Theme<span class="sr">: light or dark</span></button></header>
<div class="frame"><nav class="toc" aria-label="Contents"><ul>${contents.map(
    ([id, name, count]) =>
      html`<li><a href="#${id}">${name}${count !== null && html` <span class="muted">${count.toLocaleString('en')}</span>`}</a></li>`,
  )}</ul></nav>
<main id="main" tabindex="-1">
${main}
</main></div>
<p id="said" class="sr" role="status"></p>
<script type="application/json" id="data">${new Markup(embedded(data))}</script>
<script>${new Markup(assets.script)}</script>
`
  return page.text + PAGE_END
}

/** Whether a page has its end. */
export function isWholePage(page: string): boolean {
  return page.endsWith(PAGE_END)
}

/** JSON without any `<`, so that nothing in it can end the element that holds it. */
function embedded(data: unknown): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c')
}

function hashOf(script: string): string {
  return `sha256-${createHash('sha256').update(script, 'utf8').digest('base64')}`
}

const SHAPE =
  '<path d="M8 1v7" stroke="currentColor" stroke-width="1.4"/><path d="M5 8h6l-3 7z" fill="currentColor"/>'
const LOGO = `<svg class="logo" viewBox="0 0 16 16" width="20" height="20" aria-hidden="true">${SHAPE}</svg>`
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" color="#1f5f8b">${SHAPE}</svg>`
