import type { Left } from '../../host/marked.ts'
import { shortenText } from '../../spec/cutText.ts'

/** Of a command that is named. */
const SHOWN_CHARACTERS = 200

/** Says what still runs, or may run, of what a target or a client started. */
export function leftRunning(who: 'target' | 'client', { refused, unknown }: Left): readonly string[] {
  const said: string[] = []
  if (refused.length > 0)
    said.push(`the ${who} started processes that cannot be ended, and still run: ${refused.join(', ')}`)
  if (unknown.length > 0)
    said.push(
      `these were started while the ${who} ran, have left whatever started them, and were not ended, as they may be anybody's: ${unknown.map(({ pid, command }) => `${pid} (${shortenText(command, SHOWN_CHARACTERS)})`).join(', ')}`,
    )
  return said
}
