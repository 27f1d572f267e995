/** So many characters the recordings of a run hold together in each of its folders. The cases after that are not recorded. */
const CHARACTERS_MAX = 256 * 1024 * 1024

/** Bounds what a run writes into each of its folders of recordings: what a target sends may be large, and is in each of them. */
export class RecordedRoom {
  readonly #most: number
  readonly #written = new Map<string, number>()
  readonly #onFull: (sentence: string) => void

  /** @param onFull gets a sentence once for each folder that is full. */
  constructor(onFull: (sentence: string) => void, most = CHARACTERS_MAX) {
    this.#onFull = onFull
    this.#most = most
  }

  /** Returns whether a text may be written into a folder. From the first one that may not, none may: one sentence says which are there. */
  takes(folder: string, text: string): boolean {
    const before = this.#written.get(folder) ?? 0
    const after = before + text.length
    const isFull = after > this.#most
    this.#written.set(folder, isFull ? Number.POSITIVE_INFINITY : after)
    if (isFull && Number.isFinite(before))
      this.#onFull(
        `${folder} gets no recording of further cases: with the next one they have more than ${this.#most} characters. Run fewer cases, with --only, for theirs.`,
      )
    return !isFull
  }
}
