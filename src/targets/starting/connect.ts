import { join, resolve } from 'node:path'
import type { Program } from '../../client/program.ts'
import { freePort } from '../../host/freePort.ts'
import { variablesNamed } from '../../host/inheritedVariables.ts'
import { marked } from '../../host/marked.ts'
import { makeTemporaryFolder } from '../../host/temporary.ts'
import { makeFolder, writeWhole } from '../../host/writeWhole.ts'
import { tapRpc } from '../../sandbox/tapRpc.ts'
import type { Manifest } from '../../spec/manifest.ts'
import type { Need } from '../../spec/requirements/index.ts'
import { redactorOf } from '../../spec/secrets/redact.ts'
import { withoutCredentials } from '../../spec/secrets/url.ts'
import { controlOf, takeOverChain } from '../chain/liveChain.ts'
import { NO_CHAIN, type SharedChain, type TargetChain, targetChainOf } from '../chain/targetChain.ts'
import { watchChanges } from '../chain/watchedRpc.ts'
import { KEYS_SCHEMA, secretsByName, type TargetDescription, type TargetKeys } from '../description.ts'
import { clientOn, inRealTime } from '../environment/clients.ts'
import type { SampleSwaps } from '../environment/environment.ts'
import { laneOf, type ReachedTarget } from '../environment/lane.ts'
import { partnerReportOf } from '../environment/partnerReport.ts'
import { createRealPace } from '../environment/realPace.ts'
import { TargetStartError } from '../errors.ts'
import { REAL_DRIVEN_TIME, realTime } from '../realTime.ts'
import { targetScope } from '../scope.ts'
import { chainProblemOf, type TargetSession } from '../session.ts'
import { createHttpTransport, type RequestCounts } from '../transports/httpTransport.ts'
import { watchLiveness } from '../transports/liveness.ts'
import { type Tap, tapLine, tapTransport } from '../transports/tap.ts'
import { clientContext } from './clientContext.ts'
import { leftRunning } from './leftRunning.ts'
import { type Patience, untilReady } from './readiness.ts'
import { RESTARTS_MAX, type RestartingProcess, restartingProcess } from './restartingProcess.ts'
import { revokerOf } from './revoke.ts'
import { type SpawnedProcess, spawnProcess } from './spawnedProcess.ts'

/** Describes what is known of an implementation that does not run in this process. */
export interface OutsideOptions {
  readonly reach: Need
  readonly description: TargetDescription
  readonly keys: TargetKeys
  /** The names of further variables of our environment that its programs get. */
  readonly env: readonly string[]
  /** The manifest of a sandbox that runs already; null: none is known. */
  readonly manifest: Manifest | null
  /** Texts that nothing may show: the keys, and what else is known. */
  readonly secrets: readonly string[]
  /** Where the target's log goes. */
  readonly directory: string
  readonly endsAtMs: number
  readonly requestsMax: number
  /** What counts the requests, of all copies of the target. */
  readonly requests: RequestCounts
  /** Where the target is started again and again. Default: it is started once. */
  readonly watch?: WatchedStart
  /** Makes what listens to a target, one for each copy of it. Default: nothing does. */
  readonly tap?: () => Tap
  /** The client that cases run against it. Default: there is none. */
  readonly program?: Program
}

/** Describes what a target shares with those that were started before it, and how it is given up. */
export interface WatchedStart {
  readonly chain: SharedChain
  /** Ends the target at once, also while it starts. */
  readonly signal: AbortSignal
  /** Called when its process ends by itself, with the reason and the end of what it printed. */
  onGone(reason: string, output: string): void
}

const START_TIMEOUT_MS = 60_000
const ATTACH_TIMEOUT_MS = 5_000

/** Returns how a target that is running already is waited for. */
export const patienceForRunning = ({ endsAtMs }: Pick<OutsideOptions, 'endsAtMs'>): Patience => ({
  timeoutMs: ATTACH_TIMEOUT_MS,
  runEndsAtMs: endsAtMs,
  connectionSuffices: true,
})

/**
 * Starts an implementation by a shell command, on a sandbox of its own unless one is given. It finds in its environment
 * PORT, where it must listen; PLUMBLINE_SANDBOX and PLUMBLINE_KEYS, two files; RPC_URL; and PLUMBLINE_DIR, a directory of
 * its own that is gone afterwards; and of our environment `inheritedVariables` and those that are named.
 *
 * @throws {TargetStartError} it does not answer within a minute. {NotWrittenError} there is no place for its log or its files. What
 *   `startSandbox` throws.
 * @param logName the file that its output goes to, next to the results
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
    const targetChain = watch === undefined ? await targetChainOf(options) : await watch.chain.enter()
    ends.push(targetChain.end)
    const files = { PLUMBLINE_SANDBOX: 'sandbox.json', PLUMBLINE_KEYS: 'keys.json' }
    const keysFile = { schema: KEYS_SCHEMA, keys: options.keys }
    for (const [name, content] of [
      [files.PLUMBLINE_SANDBOX, targetChain.forTarget],
      [files.PLUMBLINE_KEYS, keysFile],
    ] as const)
      writeWhole(join(directory, name), `${JSON.stringify(content, null, 2)}\n`)
    const url = new URL(`http://127.0.0.1:${await freePort()}`)
    const variables = {
      ...variablesNamed(options.env),
      PORT: url.port,
      PLUMBLINE_DIR: directory,
      PLUMBLINE_SANDBOX: join(directory, files.PLUMBLINE_SANDBOX),
      PLUMBLINE_KEYS: join(directory, files.PLUMBLINE_KEYS),
      RPC_URL: targetChain.forTarget.rpcUrl,
    }
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
      // Whoever watches a service wants to see it end, and starts it again when it has changed.
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
    const session = await sessionOf(`spawned: ${command}`, url, options, targetChain, process, variables, end)
    return { ...session, lateNotices: late }
  } catch (error) {
    await end()
    throw error
  }
}

/**
 * Reaches for an implementation that runs already.
 *
 * @throws {TargetUnreachableError} nothing answers there.
 */
export async function attach(url: URL, options: OutsideOptions): Promise<TargetSession> {
  const alive: Pick<SpawnedProcess, 'ended' | 'output'> = { ended: () => null, output: () => '' }
  const clockAheadMs = await untilReady(url, alive, patienceForRunning(options))
  const targetChain = options.manifest === null ? NO_CHAIN : await targetChainOf(options)
  try {
    return await sessionOf(
      withoutCredentials(url).href,
      url,
      options,
      targetChain,
      { ...alive, clockAheadMs },
      {},
      targetChain.end,
    )
  } catch (error) {
    await targetChain.end()
    throw error
  }
}

/** Returns the session of a target that answers at `url`. @param variables what its process got, for the command that revokes its keys */
export async function sessionOf(
  name: string,
  url: URL,
  options: OutsideOptions,
  targetChain: TargetChain,
  process: Pick<SpawnedProcess, 'ended'> &
    Partial<Pick<RestartingProcess, 'gone' | 'revive' | 'restart' | 'crash'>> & {
      readonly clockAheadMs: number
    },
  variables: Readonly<Record<string, string>>,
  end: () => Promise<void>,
): Promise<TargetSession> {
  const { reach, description, keys } = options
  const tap = options.tap?.() ?? null
  // Whoever watches a service wants to see it end.
  const restart = options.watch === undefined ? process.restart : undefined
  const rpc =
    targetChain.rpc &&
    watchChanges(
      tap === null ? targetChain.rpc : tapRpc(targetChain.rpc, (...command) => tap.control(...command)),
    )
  const samples = samplesOf(description, targetChain.samples)
  const shownUrl = withoutCredentials(url).href
  const http = createHttpTransport({
    baseUrl: url,
    endsAtMs: options.endsAtMs,
    requestsMax: options.requestsMax,
    counts: options.requests,
    ended: () => process.ended(),
    crash: async () => (await process.crash?.()) ?? null,
  })
  const liveness = watchLiveness(http, shownUrl, { swap: samples.swap, key: keys.one?.secret ?? null })
  const chain = reach === 'sandbox' && rpc !== null ? await takeOverChain(rpc, targetChain.floorNumber) : null
  const confirmBudget = description.confirmBudget ?? null
  const pace = createRealPace(tap === null ? liveness.transport : tapTransport(liveness.transport, tap), {
    stateOfChain: chain && (() => chain.stateOfHead()),
    clockAheadMs: process.clockAheadMs,
    budgetWindowS: confirmBudget?.windowS ?? null,
  })
  const line = reach === 'sandbox' ? targetChain.line : null
  const countedLine = line && pace.counted(tap === null ? line : tapLine(line, tap))
  // Unlike any before, also those of other runs against the same service.
  let turn = BigInt(Math.floor(realTime.nowMs() / 1_000) % 2_000) * 500n
  const control =
    rpc === null || chain === null
      ? null
      : () => {
          turn += 1n
          return controlOf(targetChain.manifest, rpc, chain, pace, turn)
        }
  const { program } = options
  const goals = new Map<string, number>()
  const target: ReachedTarget = {
    reach,
    capabilities: new Set(description.capabilities),
    confirmBudget,
    partnerReport: partnerReportOf(description.partnerReport),
    samples,
    manifest: targetChain.manifest,
    keys,
    redact: redactorOf(options.secrets),
    pace,
    begin: async () => {
      await countedLine?.restore()
      await chain?.begin()
      await process.revive?.()
      await liveness.check()
    },
    chainProblem: async () => (chain === null ? null : chainProblemOf(chain.chain)),
    control,
    line: countedLine,
    revokeKey:
      description.revokeKey === undefined
        ? null
        : revokerOf(
            description.revokeKey,
            { ...variablesNamed(options.env), ...variables },
            options.endsAtMs,
          ),
    restart:
      restart === undefined
        ? null
        : async () => {
            tap?.drop()
            await restart()
          },
    inside: null,
    program:
      control === null || program === undefined
        ? null
        : (onExchange) =>
            clientOn(
              clientContext({ http, tap, targetChain, keys, control, goals }),
              inRealTime(program, REAL_DRIVEN_TIME),
              onExchange,
            ),
    tap,
  }
  if (tap !== null) await openTap(tap, target, targetChain, chain !== null)
  const lane = laneOf(target)
  return {
    name,
    baseUrl: shownUrl.replace(/\/$/, ''),
    ...targetScope(reach, description, keys, { line: line !== null, restart: restart !== undefined }),
    lanes: [lane],
    secrets: options.secrets,
    requests: options.requests,
    notices: targetChain.notices,
    keep: async (atBase) => {
      if (atBase) await lane.enter()
      return {
        url: url.href.replace(/\/$/, ''),
        rpcUrl: targetChain.rpc === null ? null : targetChain.manifest.rpcUrl,
        keys: secretsByName(keys),
        gone: process.gone ?? new Promise(() => {}),
      }
    },
    end,
  }
}

/** Returns what the cases trade: what the target declares, otherwise what its chain offers. */
function samplesOf({ market }: TargetDescription, { swap, sender, outside }: SampleSwaps): SampleSwaps {
  if (market === undefined) return { swap, sender, outside }
  return {
    swap: { from: market.from, to: market.to, amount: market.amount ?? swap.amount },
    sender: market.sender ?? sender,
    outside: market.outside ?? outside,
  }
}

/** Connects a tap with the line, where that is in this process, and opens the tap with what it observes. */
async function openTap(
  tap: Tap,
  target: ReachedTarget,
  targetChain: TargetChain,
  hasControl: boolean,
): Promise<void> {
  const { reach, capabilities, manifest, keys, redact, pace } = target
  const hasLine = hasControl && targetChain.listen !== null
  if (hasLine) targetChain.listen?.(tap)
  await tap.open({
    ...{ reach, capabilities, manifest, keys, redact, hasLine },
    hasClient: target.program !== null,
    nowMs: pace.clock.nowMs,
    chain:
      !hasControl || targetChain.rpc === null
        ? null
        : { rpc: targetChain.rpc, floorNumber: targetChain.floorNumber },
  })
}
