import { availableParallelism } from 'node:os'
import { PlumblineError } from '../../spec/errors.ts'
import type { Lane } from '../session.ts'

/** Nothing was started, because it is no longer needed. */
class StartGivenUpError extends PlumblineError {
  override readonly name = 'StartGivenUpError'
  constructor() {
    super('the run ended before this was started', 'Nothing needs to be done.')
  }
}

/** Something that runs cases until it is ended. */
interface Started {
  readonly lanes: readonly Lane[]
  end(): Promise<void>
}

export interface InTurn<T> {
  readonly first: T
  /** Lanes of the others, each once it is ready. */
  readonly later: readonly Promise<Lane>[]
  /** Ends all of them, and starts no more. */
  end(): Promise<void>
}

/**
 * Starts this many, and returns as soon as the first is ready. At most `atOnce` start concurrently: more would compete for the
 * processor, and the first would be ready as late as the last. If one of the others fails, the rest still start.
 *
 * @param count at least 1.
 * @throws the error of starting the first; then none is left running.
 */
export async function startInTurn<T extends Started>(
  count: number,
  start: (index: number) => Promise<T>,
  atOnce: number = availableParallelism(),
): Promise<InTurn<T>> {
  const starting: Promise<T>[] = []
  let isGivenUp = false
  const inTurn = async (index: number): Promise<T> => {
    await starting[index - atOnce]?.catch(() => {})
    if (isGivenUp) throw new StartGivenUpError()
    return start(index)
  }
  for (let index = 0; index < count; index += 1) starting.push(inTurn(index))
  const end = async () => {
    isGivenUp = true
    const started = await Promise.allSettled(starting)
    await Promise.all(started.map((each) => (each.status === 'fulfilled' ? each.value.end() : null)))
  }
  const [first, ...others] = starting as [Promise<T>, ...Promise<T>[]]
  const later = others.map((other) => other.then(({ lanes: [lane] }) => lane as Lane))
  // A caller that uses one learns that it did not start.
  for (const each of later) each.catch(() => {})
  try {
    return { first: await first, later, end }
  } catch (error) {
    await end()
    throw error
  }
}
