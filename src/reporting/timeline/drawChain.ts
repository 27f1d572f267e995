import { html, type Markup } from '../html/markup.ts'
import { type DrawnBlock, orphanedTogether } from './chainRows.ts'
import { cross, type Geometry, HEAD_PX, ROW_PX } from './geometry.ts'
import type { Layout } from './layout.ts'
import type { Timeline } from './model.ts'
import { shortHash } from './words.ts'

/** Returns the chain as a tree that grows downwards: the canonical branch straight, orphaned ones next to it. */
export function drawChain(timeline: Timeline, { chain, rows }: Layout, geometry: Geometry): Markup {
  const base: DrawnBlock = {
    hash: timeline.base.hash,
    number: timeline.base.number,
    parent: '',
    row: -1,
    place: -1,
    column: 0,
    orphanedAt: null,
  }
  const blocks = [...chain.blocks.values()]
  const place = (block: DrawnBlock) => ({
    x: geometry.branches[block.column] ?? 0,
    y: block.row < 0 ? HEAD_PX - 8 : geometry.y(block.row),
  })
  const parentOf = (block: DrawnBlock) => chain.blocks.get(block.parent) ?? base
  const folded = new Set(
    rows.flatMap(({ events }) =>
      events.length > 1 ? events.map((event) => (event.kind === 'block' ? event.hash : '')) : [],
    ),
  )
  return html`<g class="chain">
${blocks.map((block) => drawEdge(place(parentOf(block)), place(block), block.orphanedAt !== null))}
${drawBlock(base, place(base))}
${blocks.map((block) => !folded.has(block.hash) && drawBlock(block, place(block), { x: geometry.blockNames, text: labelOf(block) }))}
${rows.map((row, index) => {
  const [event] = row.events
  if (row.events.length < 2 || event?.kind !== 'block') return null
  const block = chain.blocks.get(event.hash)
  if (block === undefined) return null
  const { x } = place(block)
  const y = geometry.y(index)
  return html`<g class="block ${block.orphanedAt === null ? '' : 'orphaned'}"><circle class="folded" cx="${x}" cy="${y - 5}" r="1.8"/><circle class="folded" cx="${x}" cy="${y}" r="1.8"/><circle class="folded" cx="${x}" cy="${y + 5}" r="1.8"/></g>`
})}
${branchEnds(blocks).map((block) => {
  const x = geometry.branches[block.column] ?? 0
  // Slightly above the row in which it ends, which has the name of its successor.
  const y = Math.max(geometry.y(block.row) + ROW_PX / 2, geometry.y(block.orphanedAt ?? block.row) - ROW_PX)
  return html`<g class="orphan-end"><path class="edge orphaned" d="M${x} ${geometry.y(block.row)}V${y}"/>${cross(x, y)}<text class="orphan-word" x="${geometry.blockNames}" y="${y + 4}">orphaned</text></g>`
})}
</g>`
}

function labelOf({ number, hash }: DrawnBlock): string {
  return `${number} ${shortHash(hash).slice(2, 8)}`
}

function drawBlock(
  { hash, number, orphanedAt }: DrawnBlock,
  { x, y }: Point,
  label: Label | null = null,
): Markup {
  return html`<g class="block ${orphanedAt === null ? '' : 'orphaned'}"><rect x="${x - 6}" y="${y - 6}" width="12" height="12" rx="2.5"><title>block ${number} ${hash}${orphanedAt !== null && ', orphaned'}</title></rect>${
    label !== null && html`<text class="block-name" x="${label.x}" y="${y + 4}">${label.text}</text>`
  }</g>`
}

interface Label {
  readonly x: number
  readonly text: string
}

interface Point {
  readonly x: number
  readonly y: number
}

function drawEdge(from: Point, to: Point, orphaned: boolean): Markup {
  const kind = orphaned ? 'edge orphaned' : 'edge'
  if (from.x === to.x) return html`<path class="${kind}" d="M${from.x} ${from.y}V${to.y}"/>`
  const bend = Math.min(14, Math.abs(to.y - from.y))
  return html`<path class="${kind}" d="M${from.x} ${from.y}C${from.x} ${from.y + bend} ${to.x} ${from.y + bend / 3} ${to.x} ${from.y + bend}V${to.y}"/>`
}

/** Returns the newest block of each orphaned branch. */
function branchEnds(blocks: readonly DrawnBlock[]): readonly DrawnBlock[] {
  return orphanedTogether(blocks).flatMap(([, branch]) => branch.slice(-1))
}
