/** Admits any number of tasks concurrently, or one that must be alone. */
export interface Room {
  /** Resolves once the task is admitted; tasks are admitted in the order of their arrival. */
  enter(isAlone: boolean): Promise<void>
  leave(): void
}

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
