import { setTimeout } from 'node:timers/promises'
import { redactorOf } from '../../spec/secrets/redact.ts'
import { redactStream } from '../../spec/secrets/redactStream.ts'
import { spawnGroup } from './spawnGroup.ts'
import { openTargetLog } from './targetLog.ts'

/** Time that a process may take to end after a request. */
const END_TIMEOUT_MS = 5_000
const KEPT_OUTPUT_CHARACTERS = 4_000

/** A process group that this process started: a command and the processes that it started. */
export interface SpawnedProcess {
  /** Returns the reason that it ended; null: it runs. */
  ended(): string | null
  /** Resolves to that reason, once its output is read. */
  readonly gone: Promise<string>
  /** Returns the end of its output, without secrets. */
  output(): string
  /** Ends the whole group, by force if need be. Safe to call again. */
  stop(): Promise<void>
}

/** A process that was just started. */
export interface StartedProcess extends SpawnedProcess {
  /** Its outputs, as the system names them. */
  readonly outputs: readonly string[]
}

/**
 * Runs a shell command in a separate process group.
 *
 * @param logPath where its output is logged, without secrets
 * @param secrets texts that its output must not show
 * @param again true: it ran before, and its log is continued
 */
export function spawnProcess(
  command: string,
  variables: Readonly<Record<string, string>>,
  logPath: string,
  secrets: readonly string[],
  again = false,
): StartedProcess {
  const { child, outputs, signal, lastWords, end } = spawnGroup(command, variables)
  const log = openTargetLog(logPath, again)
  let kept = ''
  const redact = redactorOf(secrets)
  // A secret may also be split between both streams, since they meet in one file.
  const both = redactStream(secrets)
  const streams = [child.stdout, child.stderr].map((stream) => ({ stream, ...redactStream(secrets) }))
  const keep = (text: string) => {
    log.write(text)
    kept = `${kept}${text}`.slice(-KEPT_OUTPUT_CHARACTERS)
  }
  const rest = () => redact([both, ...streams].map((each) => each.rest()).join(''))
  let reason: string | null = null
  const exited = new Promise<string>((resolve) => {
    const end = (why: string) => {
      reason = why
      resolve(why)
    }
    child.once('error', (error) => end(`the command cannot be run: ${error.message}`))
    child.once('exit', (code, signal) =>
      end(`its process ended (${signal === null ? `exit code ${code}` : `signal ${signal}`})`),
    )
  })
  const gone = exited.then(async (why) => {
    // Its last output may still be on its way.
    await lastWords()
    return why
  })
  for (const { stream, write } of streams) {
    stream.on('data', (chunk: Buffer) => keep(both.write(Buffer.from(write(chunk)))))
  }
  return {
    ended: () => reason,
    gone,
    outputs,
    output: () => `${kept}${rest()}`.slice(-KEPT_OUTPUT_CHARACTERS),
    stop: async () => {
      signal('SIGTERM')
      // Does not wait for a target that is gone.
      await Promise.race([exited, setTimeout(END_TIMEOUT_MS, undefined, { ref: false })])
      // The command may be gone while processes that it started still run.
      end()
      await log.end(rest())
    },
  }
}
