import { html, type Markup } from '../html/markup.ts'
import type { Layout } from './layout.ts'

export const ROW_PX = 24
export const HEAD_PX = 48
/** Width of the least number of label characters, in the widest font that the page may use. */
const WORDS_PX = 312
const CHARACTER_PX = 8
/** Number of label characters drawn: as many as the longest label of a step has, within these limits. */
const LABEL = { least: 34, most: 64 }
const BRANCH_PX = 30
/** From the last branch to the first transaction: room for the name of a block and the depth of the transaction. */
const BLOCK_PX = 156
/** Room for the words next to a transaction, and the depth of its right neighbour. */
const TRACK_PX = 124
/** From the last transaction to the first window: room for the words next to the transaction. */
const STATE_PX = 76
/** Margins left and right of the chain's branches: half a block, and the names of the blocks. */
const CHAIN_LEFT_PX = 18
const CHAIN_RIGHT_PX = 80
const WINDOW_PX = 22

/** The horizontal positions, the size, and the vertical position of each row. */
export interface Geometry {
  readonly width: number
  /** Number of label characters that fit. */
  readonly labelCharacters: number
  /** The top of the drawing: more than 0 when the first rows are omitted. */
  readonly top: number
  readonly height: number
  readonly lanes: { readonly client: number; readonly service: number; readonly store: number }
  /** The chain's branches, the canonical one first. */
  readonly branches: readonly number[]
  /** Start of the names of blocks: to the right of all branches, so that no name covers one. */
  readonly blockNames: number
  /** The left and the right edge of the chain with its names. */
  readonly chain: { readonly left: number; readonly right: number }
  /** Each transaction, in the order of the layout. */
  readonly tracks: readonly number[]
  readonly windows: readonly number[]
  y(row: number): number
}

/**
 * Returns columns as wide as this timeline needs.
 *
 * @param fromRow the first row that is drawn.
 */
export function columnsFor({ chain, tracks, windows, rows }: Layout, fromRow = 0): Geometry {
  const labels = rows.map(({ events: [event] }) => (event?.kind === 'step' ? event.label.length : 0))
  const labelCharacters = Math.min(LABEL.most, Math.max(LABEL.least, ...labels))
  const client = WORDS_PX + (labelCharacters - LABEL.least) * CHARACTER_PX
  const lanes = { client, service: client + 64, store: client + 108 }
  const firstBranch = lanes.store + 44
  const branches = Array.from({ length: chain.columns }, (_, index) => firstBranch + index * BRANCH_PX)
  const lastBranch = branches.at(-1) ?? firstBranch
  const firstTrack = lastBranch + BLOCK_PX
  const firstWindow =
    tracks.length === 0 ? firstTrack : firstTrack + (tracks.length - 1) * TRACK_PX + STATE_PX
  return {
    labelCharacters,
    lanes,
    branches,
    blockNames: lastBranch + 11,
    chain: { left: firstBranch - CHAIN_LEFT_PX, right: lastBranch + CHAIN_RIGHT_PX },
    tracks: tracks.map((_, index) => firstTrack + index * TRACK_PX),
    windows: windows.map((_, index) => firstWindow + index * WINDOW_PX),
    width: firstWindow + windows.length * WINDOW_PX + 12,
    top: fromRow * ROW_PX,
    height: HEAD_PX + rows.length * ROW_PX + 16,
    y: (row) => HEAD_PX + row * ROW_PX + ROW_PX / 2,
  }
}

/** Returns a small cross that marks an end. */
export function cross(x: number, y: number): Markup {
  return html`<path class="cross" d="M${x - 4} ${y - 4}l8 8m0 -8l-8 8"/>`
}
