/** Room for any number of tasks at once, or for one that must be alone. */
export interface Room {
  /** Resolves once there is room; tasks enter in the order in which they come. */
  enter(isAlone: boolean): Promise<void>
  leave(): void
}

/** Opens an empty room. */
export function openRoom(): Room {
  const waiting: { readonly isAlone: boolean; readonly enter: () => void }[] = []
  let inside = 0
  let isTaken = false
  const admit = () => {
    for (let [next] = waiting; next !== undefined; [next] = waiting) {
      if (isTaken || (next.isAlone && inside > 0)) return
      waiting.shift()
      inside += 1
      isTaken = next.isAlone
      next.enter()
    }
  }
  return {
    enter: (isAlone) =>
      new Promise((enter) => {
        waiting.push({ isAlone, enter })
        admit()
      }),
    leave: () => {
      inside -= 1
      isTaken = false
      admit()
    },
  }
}
