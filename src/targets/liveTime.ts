/** The machine's time, for targets that live in it. */
export const liveTime = {
  nowMs: (): number => Date.now(),
  /** Fulfilled after so many milliseconds; at once for none. */
  pass: (deltaMs: number): Promise<void> =>
    deltaMs <= 0
      ? Promise.resolve()
      : new Promise((resolve) => {
          setTimeout(resolve, deltaMs)
        }),
}
