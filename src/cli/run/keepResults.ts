import { type Ending, endingOfError, worstOf } from '../../runner/verdict/verdict.ts'
import { describeError, type Output } from '../terminal/output.ts'

/**
 * Writes what a run leaves, after its verdict was printed, so that a full disk costs the files alone.
 *
 * @returns how the command ends: a violation that was shown is still one, anything else is inconclusive without its files.
 */
export async function keepResults(
  ending: Ending,
  write: () => Promise<void> | void,
  output: Output,
): Promise<Ending> {
  try {
    await write()
    return ending
  } catch (error) {
    output.err(describeError(error))
    return worstOf([ending, endingOfError(error)])
  }
}
