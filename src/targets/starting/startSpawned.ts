import { join, resolve } from 'node:path'
import { freePort } from '../../host/freePort.ts'
import { variablesNamed } from '../../host/inheritedVariables.ts'
import { marked } from '../../host/marked.ts'
import { makeTemporaryFolder } from '../../host/temporary.ts'
import { makeFolder, writeWhole } from '../../host/writeWhole.ts'
import type { Manifest } from '../../spec/manifest.ts'
import { targetChainOf } from '../chain/targetChain.ts'
import { KEYS_SCHEMA } from '../description.ts'
import { TargetStartError } from '../errors.ts'
import type { TargetSession } from '../session.ts'
import { leftRunning } from './leftRunning.ts'
import type { OutsideOptions } from './outsideOptions.ts'
import { outsideSession } from './outsideSession.ts'
import { untilReady } from './readiness.ts'
import { RESTARTS_MAX, restartingProcess } from './restartingProcess.ts'
import { spawnProcess } from './spawnedProcess.ts'

const START_TIMEOUT_MS = 60_000

/**
 * Starts an implementation by a shell command, on a new sandbox unless one is given. Its environment has PORT, on which it must
 * listen; PLUMBLINE_SANDBOX and PLUMBLINE_KEYS, two files; RPC_URL; PLUMBLINE_DIR, its own directory, which is removed
 * afterwards; and, of this process's environment, `inheritedVariables` and those that are named.
 *
 * @throws {TargetStartError} it does not respond within a minute. {NotWrittenError} its log or its files cannot be written.
 * Also the errors of `startSandbox`.
 * @param logName file for its output, next to the results
 */
export async function startSpawned(
  command: string,
  options: OutsideOptions,
  logName = 'target.log',
): Promise<TargetSession> {
  const ends: (() => Promise<unknown> | unknown)[] = []
  const end = async () => {
    for (const each of ends.splice(0).reverse()) await each()
  }
  try {
    const { path: directory, remove } = makeTemporaryFolder('target')
    const late: string[] = []
    ends.push(() => {
      try {
        remove()
      } catch (error) {
        late.push(`the folder of the target cannot be removed: ${(error as Error).message}`)
      }
    })
    const started = marked('PLUMBLINE_DIR', directory)
    ends.push(() => {
      late.push(...leftRunning('target', started.end()))
    })
    const { watch } = options
    const targetChain =
      watch === undefined ? await targetChainOf(options.manifest, options.reach) : await watch.chain.enter()
    ends.push(targetChain.end)
    const url = new URL(`http://127.0.0.1:${await freePort()}`)
    const variables = variablesOf(url, directory, targetChain.forTarget, options)
    if (watch?.signal.aborted) throw new TargetStartError('it was given up', '')
    makeFolder(options.directory)
    const log = resolve(options.directory, logName)
    const patience = {
      timeoutMs: START_TIMEOUT_MS,
      runEndsAtMs: options.endsAtMs,
      connectionSuffices: false,
    }
    const spawned = restartingProcess(
      (again) => {
        const process = spawnProcess(command, variables, log, options.secrets, again)
        started.hasOutputs(process.outputs)
        return process
      },
      (process) => untilReady(url, process, patience),
      // A user who watches a service wants to see it end, and it is started again when it has changed.
      watch === undefined ? RESTARTS_MAX : 0,
    )
    let isEnding = false
    const stop = () => {
      isEnding = true
      return spawned.stop()
    }
    ends.push(stop)
    watch?.signal.addEventListener('abort', stop)
    const clockAheadMs = await untilReady(url, spawned, patience)
    void spawned.gone.then((reason) => {
      if (!isEnding) watch?.onGone(reason, spawned.output())
    })
    const process = Object.assign(spawned, { clockAheadMs })
    const session = await outsideSession(
      `spawned: ${command}`,
      url,
      options,
      targetChain,
      process,
      variables,
      end,
    )
    return { ...session, lateNotices: late }
  } catch (error) {
    await end()
    throw error
  }
}

/** Writes the files that a target reads. @returns the variables of its environment. */
function variablesOf(
  url: URL,
  directory: string,
  manifest: Manifest,
  { env, keys }: OutsideOptions,
): Readonly<Record<string, string>> {
  const files = {
    PLUMBLINE_SANDBOX: join(directory, 'sandbox.json'),
    PLUMBLINE_KEYS: join(directory, 'keys.json'),
  }
  writeWhole(files.PLUMBLINE_SANDBOX, `${JSON.stringify(manifest, null, 2)}\n`)
  writeWhole(files.PLUMBLINE_KEYS, `${JSON.stringify({ schema: KEYS_SCHEMA, keys }, null, 2)}\n`)
  return {
    ...variablesNamed(env),
    PORT: url.port,
    PLUMBLINE_DIR: directory,
    ...files,
    RPC_URL: manifest.rpcUrl,
  }
}
