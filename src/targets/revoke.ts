import { once } from 'node:events'
import { type Blame, BlamedError } from './blame.ts'
import { spawnGroup } from './spawnGroup.ts'

const TIMEOUT_MS = 60_000
const KEPT_CHARACTERS = 4_000

/** The command that was to revoke a key failed. */
class RevokeCommandError extends BlamedError {
  override readonly name = 'RevokeCommandError'
  readonly blame: Blame = 'harness'
  readonly expected = 'a command that revokes the key'
  constructor(problem: string) {
    super(`the command that revokes a key failed: ${problem}`, 'Correct revokeKey in the capabilities file.')
  }
}

/**
 * Revokes keys by a shell command in which `{keyId}` is replaced by the id. It cannot outlive this process; what it leaves
 * running, such as a service that it started anew, can.
 *
 * @throws {RevokeCommandError} it does not end with 0 within a minute.
 */
export function revokerOf(
  command: string,
  variables: Readonly<Record<string, string>>,
): (keyId: string) => Promise<void> {
  return async (keyId) => {
    const { child, release, end } = spawnGroup(command.replaceAll('{keyId}', keyId), variables)
    let problems = ''
    child.stdout.resume()
    child.stderr.on('data', (chunk: Buffer) => {
      problems = `${problems}${chunk.toString('utf8')}`.slice(-KEPT_CHARACTERS)
    })
    const closed = once(child, 'close')
    const [code, signal] = await once(child, 'exit', { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(
      (error: Error) => {
        end()
        throw new RevokeCommandError(`${error.message} ${problems}`)
      },
    )
    if (code !== 0) {
      end()
      await closed
      throw new RevokeCommandError(`it ended with ${code ?? signal} ${problems}`)
    }
    release()
    child.stdout.unref()
    child.stderr.unref()
  }
}
