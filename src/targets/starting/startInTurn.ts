import { availableParallelism } from 'node:os'
import { PlumblineError } from '../../spec/errors.ts'
import type { Lane } from '../session.ts'

/** Nothing was started, because nobody needs it any more. */
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

/** Describes what was started in turn. */
export interface InTurn<T> {
  readonly first: T
  /** The lanes of the others, each when it is ready. */
  readonly later: readonly Promise<Lane>[]
  /** Ends all of them, and starts no more. */
  end(): Promise<void>
}

/**
 * Starts so many, and returns as soon as the first is ready. At most `atOnce` start at the same time: all at once they would take each
 * other's processor, and the first would be ready as late as the last. Whether one of the others starts changes nothing for the rest.
 *
 * @param count one at least.
 * @throws what starting the first throws; then none is left running.
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
  // Whoever wants to use one learns that it did not start.
  for (const each of later) each.catch(() => {})
  try {
    return { first: await first, later, end }
  } catch (error) {
    await end()
    throw error
  }
}
