/**
 * Gives each task to whichever hand is free, and tells what came of them in the order of the tasks, each as soon as it
 * and all before it are done: nobody can see how many hands there were.
 */
export async function inOrder<Hand, Task, Result>(
  hands: readonly Hand[],
  tasks: readonly Task[],
  work: (hand: Hand, task: Task) => Promise<Result>,
  onResult: (task: Task, result: Result) => void,
): Promise<void> {
  const done = new Map<number, Result>()
  let next = 0
  let told = 0
  const tell = () => {
    for (; done.has(told); told += 1) {
      onResult(tasks[told] as Task, done.get(told) as Result)
      done.delete(told)
    }
  }
  await Promise.all(
    hands.map(async (hand) => {
      for (let index = next++; index < tasks.length; index = next++) {
        done.set(index, await work(hand, tasks[index] as Task))
        tell()
      }
    }),
  )
}
