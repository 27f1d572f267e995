/** Maximum number of characters of a run's recordings in each of its folders. Later cases are not recorded. */
const CHARACTERS_MAX = 256 * 1024 * 1024

/** Limits the recordings that a run writes into each folder: responses of a target may be large, and are in each of them. */
export class RecordedRoom {
  readonly #most: number
  readonly #written = new Map<string, number>()
  readonly #onFull: (sentence: string) => void

  /** @param onFull called with a sentence, once for each folder that is full. */
  constructor(onFull: (sentence: string) => void, most = CHARACTERS_MAX) {
    this.#onFull = onFull
    this.#most = most
  }

  /** Returns whether a text may be written into a folder. Once one is refused, so is every later one. */
  takes(folder: string, text: string): boolean {
    const before = this.#written.get(folder) ?? 0
    const after = before + text.length
    const isFull = after > this.#most
    this.#written.set(folder, isFull ? Number.POSITIVE_INFINITY : after)
    if (isFull && Number.isFinite(before))
      this.#onFull(
        `${folder} gets no further recordings: with the next one they would have more than ${this.#most} characters. To record the other cases, run fewer with --only.`,
      )
    return !isFull
  }
}
