import { SIGNS, wordOf } from '../document/endings.ts'
import {
  type Block,
  type Ending,
  type Inline,
  type Item,
  inlinesOf,
  isFigures,
  type Table,
  type Text,
  type Tone,
} from '../document/model.ts'
import { breakable, html, Markup } from './markup.ts'

/** CSS class of each tone, which sets its colour. */
export const TONES: Readonly<Record<Tone, string>> = {
  good: 'is-pass',
  bad: 'is-fail',
  open: 'is-inconclusive',
}

/**
 * Returns a document as HTML.
 *
 * @param level of the headings of the outermost sections
 */
export function toHtml(blocks: readonly Block[], level = 3): Markup {
  return html`${blocks.map((block) => htmlOf(block, level))}`
}

function htmlOf(block: Block, level: number): Markup {
  switch (block.kind) {
    case 'paragraph':
      return html`<p>${inHtml(block.text)}</p>`
    case 'quote':
      return html`<blockquote>${inHtml(block.text)}</blockquote>`
    case 'code':
      return block.command === undefined
        ? html`<pre class="message" tabindex="0" aria-label="message">${breakable(block.text)}</pre>`
        : renderCopyable(block.text, `${block.command} command`)
    case 'terms':
      return html`<dl class="expected">${block.terms.map(
        ([name, text]) => html`<div><dt>${capitalized(name)}</dt><dd>${inHtml(text)}</dd></div>`,
      )}</dl>`
    case 'list': {
      const items = block.items.map((item) => html`<li>${itemOf(item, level)}</li>`)
      return block.isOrdered ? html`<ol class="notes">${items}</ol>` : html`<ul class="notes">${items}</ul>`
    }
    case 'table':
      return renderTable(block)
    case 'section': {
      const tag = new Markup(`h${Math.min(level, 6)}`)
      return html`<${tag}>${inHtml(block.title)}</${tag}>${toHtml(block.blocks, level + 1)}`
    }
    case 'details':
      return html`<details class="gap"><summary>${inHtml(block.summary)}</summary>${toHtml(block.blocks, level + 1)}</details>`
  }
}

function itemOf(item: Item, level: number): Markup {
  return typeof item === 'object' && 'blocks' in item ? toHtml(item.blocks, level) : inHtml(item)
}

/** Returns a table that scrolls separately; on a narrow screen each cell names its column. */
function renderTable(block: Table): Markup {
  const { name, head, rows } = block
  const numeric = head.map((_, column) => isFigures(block, column))
  const cell = (text: Text | number) => (typeof text === 'number' ? text.toLocaleString('en') : inHtml(text))
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${name}"><table${!numeric.includes(true) && html` class="stacks"`}><thead><tr>${head.map(
    (title, column) =>
      html`<th scope="col"${numeric[column] && html` class="number"`}>${capitalized(title)}</th>`,
  )}</tr></thead><tbody>${rows.map(
    ([first = '', ...others]) =>
      html`<tr><th scope="row">${cell(first)}</th>${others.map(
        (text, index) =>
          html`<td data-of="${head[index + 1]}"${numeric[index + 1] && html` class="number"`}>${cell(text)}</td>`,
      )}</tr>`,
  )}</tbody></table></div>`
}

/** Returns a text with its marks. */
export function inHtml(text: Text): Markup {
  const write = (part: Inline) => {
    if (typeof part === 'string') return breakable(part)
    switch (part.kind) {
      case 'code': {
        const shown = html`<code>${breakable(part.code)}</code>`
        return part.to === undefined ? shown : html`<a href="${part.to}">${shown}</a>`
      }
      case 'link':
        return /^https?:/i.test(part.href)
          ? html`<a href="${part.href}" rel="noreferrer">${part.href}</a>`
          : breakable(part.href)
      case 'strong':
        return html`<b${part.tone !== undefined && html` class="${TONES[part.tone]}"`}>${breakable(part.strong)}</b>`
      case 'mark':
        return renderMark(part.ending)
    }
  }
  return html`${inlinesOf(text).map(write)}`
}

export function renderMark(ending: Ending): Markup {
  return html`<span class="mark is-${ending}"><span aria-hidden="true">${SIGNS[ending]}</span> ${wordOf(ending)}</span>`
}

/** Returns text with a button that copies it. */
export function renderCopyable(text: string, what: string, note: string | null = null): Markup {
  return html`<div class="copyable"><pre tabindex="0" aria-label="${what}"><code>${text}</code></pre><button type="button" class="copy" data-copy="${text}">Copy<span class="sr"> ${what}</span></button></div>${
    note !== null && html`<p class="muted small">${note}</p>`
  }`
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
