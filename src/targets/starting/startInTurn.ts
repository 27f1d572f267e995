import { PlumblineError } from '../../spec/errors.ts'

/** Nothing was started, because nobody needs it any more. */
export class StartGivenUpError extends PlumblineError {
  override readonly name = 'StartGivenUpError'
  constructor() {
    super('the run ended before this was started', 'Nothing needs to be done.')
  }
}

/** Describes what is being started, in its order, and the way to start no more of it. */
export interface Starting<T> {
  readonly starting: readonly Promise<T>[]
  /** What has not begun to start is not started any more: it rejects with `StartGivenUpError`. */
  giveUp(): void
}

/**
 * Starts so many, at most `atOnce` at the same time: all at once they would take each other's processor, and the first would be
 * ready as late as the last. Whether one starts changes nothing for the others.
 */
export function startInTurn<T>(
  count: number,
  atOnce: number,
  start: (index: number) => Promise<T>,
): Starting<T> {
  const starting: Promise<T>[] = []
  let isGivenUp = false
  const inTurn = async (index: number): Promise<T> => {
    await starting[index - atOnce]?.catch(() => {})
    if (isGivenUp) throw new StartGivenUpError()
    return start(index)
  }
  for (let index = 0; index < count; index += 1) starting.push(inTurn(index))
  return {
    starting,
    giveUp: () => {
      isGivenUp = true
    },
  }
}
