import { setTimeout } from 'node:timers/promises'
import { redactorOf } from '../../spec/secrets/redact.ts'
import { redactStream } from '../../spec/secrets/redactStream.ts'
import { spawnGroup } from './spawnGroup.ts'
import { openTargetLog } from './targetLog.ts'

/** How long a process may take to end when asked to. */
const END_TIMEOUT_MS = 5_000
const KEPT_OUTPUT_CHARACTERS = 4_000

/** A process group of ours: a command and whatever it started. */
export interface SpawnedProcess {
  /** Returns why it has ended; null while it runs. */
  ended(): string | null
  /** Resolves to that reason, once its output is there. */
  readonly gone: Promise<string>
  /** Returns the end of what it printed, without secrets. */
  output(): string
  /** Ends the whole group, by force if need be. Safe to call again. */
  stop(): Promise<void>
}

/** One that was started just now. */
export interface StartedProcess extends SpawnedProcess {
  /** What its output is, as the system names it. */
  readonly outputs: readonly string[]
}

/**
 * Runs a shell command in a process group of its own.
 *
 * @param logPath where what it prints goes, without secrets
 * @param secrets what nothing that it prints may show
 * @param again true: it ran before, and its log goes on
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
  // A secret may be split between both streams as well: they meet in one file.
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
    // What it printed last may still be on its way.
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
      // A target that is gone is not waited for.
      await Promise.race([exited, setTimeout(END_TIMEOUT_MS, undefined, { ref: false })])
      // The command may be gone and what it started still there.
      end()
      await log.end(rest())
    },
  }
}
