import { html, type Markup } from '../html/markup.ts'

/** Returns a small cross that marks an end. */
export function cross(x: number, y: number): Markup {
  return html`<path class="cross" d="M${x - 4} ${y - 4}l8 8m0 -8l-8 8"/>`
}
