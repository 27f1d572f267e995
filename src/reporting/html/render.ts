import { createHash } from 'node:crypto'
import type { Report } from '../report/model.ts'
import { type PageAssets, pageAssets } from './assets.ts'
import { html, Markup } from './markup.ts'
import { renderChecks } from './sections/checks.ts'
import { renderFailures } from './sections/failures.ts'
import { renderKillMatrix } from './sections/killMatrix.ts'
import { renderProperties } from './sections/properties.ts'
import { renderRatios } from './sections/ratios.ts'
import { renderRequirements } from './sections/requirements.ts'
import { renderSilent } from './sections/silent.ts'
import { renderSummary } from './sections/summary.ts'
import { renderTimelines } from './sections/timelines.ts'

/** The last bytes of a whole page. A page without them was cut off, and says so to whoever opens it. */
export const PAGE_END = '<i id="end" hidden></i></body></html>\n'

/**
 * A report as one HTML page that needs nothing else: it opens from disk, asks no network, and works on paper. It begins
 * with the warning that it was cut off, which only its last element takes away.
 */
export function renderReport(report: Report, assets: PageAssets = pageAssets()): string {
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src '${hashOf(assets.script)}'; base-uri 'none'; form-action 'none'">
<title>${titleOf(report)}</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(ICON)}">
<style>${new Markup(assets.style)}</style></head>
<body><p class="cut-off" role="alert"><b>This report was cut off.</b> Its end is missing: what you see is not the whole run. Write it again with <code>plumbline report</code>.</p>
<a class="skip" href="#main">Skip to the verdict</a>
<header class="top">${new Markup(LOGO)}<span class="brand">Plumbline</span> <span class="muted">${report.target} · seed ${report.seed}</span>
<button type="button" class="quiet theme" data-theme-switch>Theme<span class="sr">: light or dark</span></button></header>
<div class="frame"><nav class="toc" aria-label="Contents"><ul>${contentsOf(report).map(
    ([id, name, count]) =>
      html`<li><a href="#${id}">${name}${count !== null && html` <span class="muted">${count.toLocaleString('en')}</span>`}</a></li>`,
  )}</ul></nav>
<main id="main" tabindex="-1">
${renderSummary(report)}
${renderFailures(report)}
${renderRequirements(report)}
${renderChecks(report)}
${renderTimelines(report)}
${renderProperties(report)}
${renderKillMatrix(report)}
${renderSilent(report)}
${renderRatios(report)}
</main></div>
<p id="said" class="sr" role="status"></p>
<script type="application/json" id="data">${new Markup(dataOf(report))}</script>
<script>${new Markup(assets.script)}</script>
`
  return page.text + PAGE_END
}

/** Whether a page has its end. */
export function isWholePage(page: string): boolean {
  return page.endsWith(PAGE_END)
}

type Entry = readonly [id: string, name: string, count: number | null]

function contentsOf(report: Report): readonly Entry[] {
  const failed = report.results.filter(({ status }) => status === 'fail' || status === 'inconclusive').length
  const parts: readonly Entry[] = [
    ['failures', 'Failures', failed],
    ['requirements', 'Requirements', report.requirements.length],
    ['checks', 'Checks', report.results.length],
    ['timelines', 'Timelines', report.timelines.length],
    ['properties', 'Properties', report.properties.length],
    ['kill-matrix', 'Kill matrix', report.killMatrix?.defects.length ?? 0],
    ['silent', 'Silent points', report.silent.points.length],
    ['ratios', 'Performance', report.ratios.length],
  ]
  const always = new Set(['failures', 'requirements', 'checks'])
  return [['summary', 'Summary', null], ...parts.filter(([id, , count]) => always.has(id) || count !== 0)]
}

/** What the page's script needs. No `<` is left in it, so nothing in it can end the element that holds it. */
function dataOf({ results, baseUrl }: Report): string {
  return JSON.stringify({ results, baseUrl }).replaceAll('<', '\\u003c')
}

function hashOf(script: string): string {
  return `sha256-${createHash('sha256').update(script, 'utf8').digest('base64')}`
}

const VERDICT_WORDS: Readonly<Record<Report['verdict'], string>> = {
  conforms: 'conforms',
  'does-not-conform': 'does not conform',
  inconclusive: 'inconclusive',
}

function titleOf({ target, verdict, seed }: Report): string {
  return `${target}: ${VERDICT_WORDS[verdict]} · Plumbline, seed ${seed}`
}

const SHAPE =
  '<path d="M8 1v7" stroke="currentColor" stroke-width="1.4"/><path d="M5 8h6l-3 7z" fill="currentColor"/>'
const LOGO = `<svg class="logo" viewBox="0 0 16 16" width="20" height="20" aria-hidden="true">${SHAPE}</svg>`
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" color="#1f5f8b">${SHAPE}</svg>`
