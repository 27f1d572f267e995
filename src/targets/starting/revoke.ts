import { once } from 'node:events'
import { quoted } from '../../host/shellWord.ts'
import { BlamedError } from '../blame.ts'
import type { TargetDescription } from '../description.ts'
import { realTime } from '../realTime.ts'
import { spawnGroup } from './spawnGroup.ts'

const TIMEOUT_MS = 60_000
const KEPT_CHARACTERS = 4_000

/** Revokes a key by its id. Resolves to the command that did it. */
export type Revoker = (keyId: string) => Promise<string>

/**
 * Revokes keys by a shell command in which `{keyId}` is replaced by the id. It cannot outlive this process; processes that it
 * leaves running can, such as a service that it started again.
 *
 * @param endsAtMs end of the run, in epoch milliseconds. Default: none.
 * @throws {BlamedError} it does not end with 0 within a minute, or before the run ends.
 */
export function revokerOf(
  command: string,
  variables: Readonly<Record<string, string>>,
  endsAtMs = Number.POSITIVE_INFINITY,
): Revoker {
  return async (keyId) => {
    const timeoutMs = Math.max(0, Math.min(TIMEOUT_MS, endsAtMs - realTime.nowMs()))
    const line = command.replaceAll('{keyId}', keyId)
    const { child, lastWords, release, end } = spawnGroup(line, variables)
    let problems = ''
    child.stdout.resume()
    child.stderr.on('data', (chunk: Buffer) => {
      problems = `${problems}${chunk.toString('utf8')}`.slice(-KEPT_CHARACTERS)
    })
    const [code, signal] = await once(child, 'exit', { signal: AbortSignal.timeout(timeoutMs) }).catch(
      (error: Error) => {
        end()
        const late = `it did not end within ${Math.ceil(timeoutMs / 1_000)} s`
        throw failed(`${error.name === 'AbortError' ? late : error.message} ${problems}`)
      },
    )
    if (code !== 0) {
      await lastWords()
      end()
      throw failed(`it ended with ${code ?? signal} ${problems}`)
    }
    release()
    child.stdout.unref()
    child.stderr.unref()
    return line
  }
}

function failed(problem: string): BlamedError {
  return new BlamedError(
    'harness',
    'a command that revokes the key',
    `the command that revokes a key failed: ${problem}`,
    'Correct revokeKey in the capabilities file. It runs in the folder of that file.',
  )
}

/** Returns a description with `{start}` in `revokeKey` replaced by the start command, run in the current folder like the start. */
export function withStart(description: TargetDescription, start: string): TargetDescription {
  const { revokeKey } = description
  if (revokeKey === undefined) return description
  const command = `cd ${quoted(process.cwd())} && ${start}`
  return { ...description, revokeKey: revokeKey.replaceAll('{start}', () => command) }
}

/** Returns the error for a command that succeeded although the key still works. @param actual what the key still does. */
export function keyStillWorks(command: string, actual: string): BlamedError {
  return new BlamedError(
    'harness',
    'a command after which the key does not work',
    `the command that revokes a key ended with 0, and the key still works, as ${actual}: ${command}`,
    'Correct revokeKey in the capabilities file: {keyId} is the id in the file that PLUMBLINE_KEYS names, {start} the start command, and PLUMBLINE_DIR is the folder of this very service. If the command did revoke the key, the service breaks auth.build-of-active-key.',
  )
}
