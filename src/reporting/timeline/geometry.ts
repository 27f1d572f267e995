import { html, type Markup } from '../html/markup.ts'
import type { Layout } from './layout.ts'

export const ROW_PX = 24
export const HEAD_PX = 48
/** As wide as the fewest characters of a label in the widest of the fonts that the page may be shown in. */
const WORDS_PX = 312
const CHARACTER_PX = 8
/** So many characters of the label of a step are drawn: as many as the longest has, which may name an address. */
const LABEL = { least: 34, most: 64 }
const BRANCH_PX = 30
/** From the last branch to the first transaction: the name of a block, and how deep the transaction is. */
const BLOCK_PX = 156
/** The words next to a transaction, and the depth of its right neighbour. */
const TRACK_PX = 124
/** From the last transaction to the first window: the words next to it. */
const STATE_PX = 76
/** What of the chain is shown left and right of its branches: half a block, and the names of the blocks. */
const CHAIN_LEFT_PX = 18
const CHAIN_RIGHT_PX = 80
const WINDOW_PX = 22

/** The horizontal positions; rows are below one another. */
export interface Geometry {
  readonly width: number
  /** How many characters of the label of a step have room. */
  readonly labelCharacters: number
  /** The top of the drawing: more than 0 when the first rows are omitted. */
  readonly top: number
  readonly height: number
  readonly lanes: { readonly client: number; readonly service: number; readonly store: number }
  /** The chain's branches, the canonical one first. */
  readonly branches: readonly number[]
  /** Where the names of blocks begin: right of every branch, so that none is over a branch. */
  readonly blockNames: number
  /** The left and the right edge of the chain with its names. */
  readonly chain: { readonly left: number; readonly right: number }
  /** Each transaction, in the order of the layout. */
  readonly tracks: readonly number[]
  readonly windows: readonly number[]
  y(row: number): number
}

/**
 * Columns as wide as this timeline needs.
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
