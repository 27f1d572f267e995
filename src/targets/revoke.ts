import { execFile } from 'node:child_process'
import { type Blame, BlamedError } from './blame.ts'

/** The command that was to revoke a key failed. */
class RevokeCommandError extends BlamedError {
  override readonly name = 'RevokeCommandError'
  readonly blame: Blame = 'harness'
  constructor(problem: string) {
    super(`the command that revokes a key failed: ${problem}`, 'Correct revokeKey in the capabilities file.')
  }
}

/** Revokes keys by a shell command in which `{keyId}` is replaced by the id. */
export function revokerOf(
  command: string,
  variables: Readonly<Record<string, string>>,
): (keyId: string) => Promise<void> {
  return (keyId) =>
    new Promise((resolve, reject) => {
      const line = command.replaceAll('{keyId}', keyId)
      execFile(
        '/bin/sh',
        ['-c', line],
        { env: { ...process.env, ...variables }, timeout: 60_000 },
        (error, _out, problems) => {
          if (error === null) resolve()
          else reject(new RevokeCommandError(`${error.message} ${problems}`))
        },
      )
    })
}
