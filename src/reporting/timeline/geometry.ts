import type { Layout } from './layout.ts'

export const ROW_PX = 24
export const HEAD_PX = 48
const WORDS_PX = 286
const BRANCH_PX = 30
const BLOCK_PX = 128
const TRACK_PX = 92
const WINDOW_PX = 22

/** The horizontal positions; rows are below one another. */
export interface Geometry {
  readonly width: number
  /** The top of the drawing: more than 0 when the first rows are omitted. */
  readonly top: number
  readonly height: number
  readonly lanes: { readonly client: number; readonly service: number; readonly store: number }
  /** The chain's branches, the canonical one first. */
  readonly branches: readonly number[]
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
  const client = WORDS_PX
  const lanes = { client, service: client + 74, store: client + 126 }
  const firstBranch = lanes.store + 54
  const branches = Array.from({ length: chain.columns }, (_, index) => firstBranch + index * BRANCH_PX)
  const firstTrack = (branches.at(-1) ?? firstBranch) + BLOCK_PX
  const firstWindow = firstTrack + tracks.length * TRACK_PX
  return {
    lanes,
    branches,
    tracks: tracks.map((_, index) => firstTrack + index * TRACK_PX),
    windows: windows.map((_, index) => firstWindow + index * WINDOW_PX),
    width: firstWindow + windows.length * WINDOW_PX + 12,
    top: fromRow * ROW_PX,
    height: HEAD_PX + rows.length * ROW_PX + 16,
    y: (row) => HEAD_PX + row * ROW_PX + ROW_PX / 2,
  }
}
