import { exitCodeOf } from '../../../src/runner/verdict/exitCode.ts'
import { PLUMBLINE } from '../setup/supervise.ts'
import type { Workspace } from '../setup/workspace.ts'

/**
 * Runs `plumbline campaign` to its end. Returns what it prints to its standard output, also where seeds fail.
 *
 * @throws {Error} it ended otherwise.
 */
export async function runCampaign({ start }: Workspace, ...args: readonly string[]): Promise<string> {
  const running = start([PLUMBLINE, 'campaign', ...args])
  const code = await running.ended
  if (code === exitCodeOf('conforms') || code === exitCodeOf('does-not-conform')) return running.printed()
  throw new Error(`plumbline campaign ${args.join(' ')} ended with ${code}: ${running.output()}`)
}
