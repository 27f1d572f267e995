import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { shellWord } from '../../host/shellWord.ts'
import { makeTemporaryFolder } from '../../host/temporary.ts'
import { exportLines } from '../../reporting/report/curl.ts'
import type { KeptRun } from '../../runner/run/runRequest.ts'
import { withoutCredentials } from '../../spec/secrets/url.ts'
import { untilInterrupted } from '../terminal/untilInterrupted.ts'

/** Readable only by its owner: no other file and no printed line holds a key. */
const MODE = 0o600

/** Waits until Ctrl-C, or until the service exits. Meanwhile a file holds the variables of the `curl` lines. */
export async function untilReleased(kept: KeptRun, print: (line: string) => void): Promise<void> {
  const { path: folder, remove } = makeTemporaryFolder('keep')
  try {
    const path = join(folder, 'variables.sh')
    const lines = exportLines(kept.url, kept.rpcUrl, kept.keys)
    writeFileSync(path, `${lines.join('\n')}\n`, { mode: MODE, flag: 'wx' })
    // Listens for signals before printing the path: a reader of that line may already send one.
    const over = untilInterrupted(kept.gone)
    const { leftBy, rpcUrl } = kept
    print('')
    print(
      `kept until Ctrl-C: the service at ${withoutCredentials(kept.url).href}${rpcUrl === null ? '' : ` and its chain at ${rpcUrl}`}`,
    )
    print(leftBy === null ? 'the chain is as at the start of a case' : `the chain is as ${leftBy} left it`)
    print('set the variables of the curl lines with')
    print(`  . ${shellWord(path)}`)
    const reason = await over
    if (reason !== null) print(`the service is gone: ${reason}`)
  } finally {
    remove()
  }
}
