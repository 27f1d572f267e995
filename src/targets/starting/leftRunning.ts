import type { Left } from '../../host/marked.ts'
import { shortenText } from '../../spec/cutText.ts'

/** Maximum length of a command in a notice. */
const SHOWN_CHARACTERS = 200

/** Returns notices about processes that a target or a client started and that still run, or may run. */
export function leftRunning(who: 'target' | 'client', { refused, unknown }: Left): readonly string[] {
  const said: string[] = []
  if (refused.length > 0)
    said.push(`the ${who} started processes that cannot be ended, and still run: ${refused.join(', ')}`)
  if (unknown.length > 0)
    said.push(
      `these processes were started while the ${who} ran, are detached from it, and were not ended, as they may belong to another program: ${unknown.map(({ pid, command }) => `${pid} (${shortenText(command, SHOWN_CHARACTERS)})`).join(', ')}`,
    )
  return said
}
