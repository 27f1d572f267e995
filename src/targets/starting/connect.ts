import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { freePort } from '../../host/freePort.ts'
import { variablesNamed } from '../../host/inheritedVariables.ts'
import { temporary } from '../../host/temporary.ts'
import { makeFolder } from '../../host/writeWhole.ts'
import { writeManifestFile } from '../../sandbox/manifestFile.ts'
import { tapRpc } from '../../sandbox/tapRpc.ts'
import type { Manifest } from '../../spec/manifest.ts'
import type { Need } from '../../spec/requirements/index.ts'
import { redactorOf } from '../../spec/secrets/redact.ts'
import { withoutCredentials } from '../../spec/secrets/url.ts'
import { takeOverChain } from '../chain/liveChain.ts'
import { type Ground, groundOf, NOWHERE, type SharedGround } from '../chain/targetChain.ts'
import { watchChanges } from '../chain/watchedRpc.ts'
import { KEYS_SCHEMA, secretsByName, type TargetDescription, type TargetKeys } from '../description.ts'
import { type LiveTarget, liveLane } from '../environment/lane.ts'
import { partnerReportOf } from '../environment/partnerReport.ts'
import { TargetStartError } from '../errors.ts'
import { realTime } from '../realTime.ts'
import { outsideScope } from '../scope.ts'
import type { TargetSession } from '../session.ts'
import { createHttpTransport } from '../transports/httpTransport.ts'
import { watchLiveness } from '../transports/liveness.ts'
import { type Tap, tapLine, tapTransport } from '../transports/tap.ts'
import { type Patience, untilReady } from './readiness.ts'
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
  /** Where the target is started again and again. Default: it is started once. */
  readonly watch?: WatchedStart
  /** Makes what listens to a target, one for each copy of it. Default: nothing does. */
  readonly tap?: () => Tap
}

/** Describes what a target shares with those that were started before it, and how it is given up. */
export interface WatchedStart {
  readonly ground: SharedGround
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
 * @throws {TargetStartError} it does not answer within a minute. {NotWrittenError} there is no place for its log. What
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
    const directory = mkdtempSync(join(tmpdir(), 'plumbline-target-'))
    ends.push(temporary(directory))
    const { watch } = options
    const ground = watch === undefined ? await groundOf(options) : await watch.ground.enter()
    ends.push(ground.end)
    const files = { PLUMBLINE_SANDBOX: 'sandbox.json', PLUMBLINE_KEYS: 'keys.json' }
    await writeManifestFile(join(directory, files.PLUMBLINE_SANDBOX), ground.forTarget)
    writeFileSync(
      join(directory, files.PLUMBLINE_KEYS),
      JSON.stringify({ schema: KEYS_SCHEMA, keys: options.keys }, null, 2),
    )
    const url = new URL(`http://127.0.0.1:${await freePort()}`)
    const variables = {
      ...variablesNamed(options.env),
      PORT: url.port,
      PLUMBLINE_DIR: directory,
      PLUMBLINE_SANDBOX: join(directory, files.PLUMBLINE_SANDBOX),
      PLUMBLINE_KEYS: join(directory, files.PLUMBLINE_KEYS),
      RPC_URL: ground.forTarget.rpcUrl,
    }
    if (watch?.signal.aborted) throw new TargetStartError('it was given up', '')
    makeFolder(options.directory)
    const log = resolve(options.directory, logName)
    const spawned = spawnProcess(command, variables, log, options.secrets)
    let isEnding = false
    const stop = () => {
      isEnding = true
      return spawned.stop()
    }
    ends.push(stop)
    watch?.signal.addEventListener('abort', stop)
    const clockAheadMs = await untilReady(url, spawned, {
      timeoutMs: START_TIMEOUT_MS,
      runEndsAtMs: options.endsAtMs,
      connectionSuffices: false,
    })
    void spawned.gone.then((reason) => {
      if (!isEnding) watch?.onGone(reason, spawned.output())
    })
    const process = { ...spawned, clockAheadMs }
    return await sessionOf(`spawned: ${command}`, url, options, ground, process, variables, end)
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
  const ground = options.manifest === null ? NOWHERE : await groundOf(options)
  try {
    return await sessionOf(
      withoutCredentials(url).href,
      url,
      options,
      ground,
      { ...alive, clockAheadMs },
      {},
      ground.end,
    )
  } catch (error) {
    await ground.end()
    throw error
  }
}

/** Returns the session of a target that answers at `url`. @param variables what its process got, for the command that revokes its keys */
export async function sessionOf(
  name: string,
  url: URL,
  options: OutsideOptions,
  ground: Ground,
  process: Pick<SpawnedProcess, 'ended'> &
    Partial<Pick<SpawnedProcess, 'gone'>> & { readonly clockAheadMs: number },
  variables: Readonly<Record<string, string>>,
  end: () => Promise<void>,
): Promise<TargetSession> {
  const { reach, description, keys } = options
  const { swap, sender, outside } = ground.samples
  const { market } = description
  const tap = options.tap?.()
  const rpc =
    ground.rpc &&
    watchChanges(tap === undefined ? ground.rpc : tapRpc(ground.rpc, (...command) => tap.control(...command)))
  const transport = createHttpTransport({
    baseUrl: url,
    endsAtMs: options.endsAtMs,
    requestsMax: options.requestsMax,
    ended: () => process.ended(),
  })
  const line = reach === 'sandbox' ? ground.line : null
  const samples =
    market === undefined
      ? ground.samples
      : {
          swap: { from: market.from, to: market.to, amount: market.amount ?? swap.amount },
          sender: market.sender ?? sender,
          outside: market.outside ?? outside,
        }
  const plain = { swap: samples.swap, key: keys.one?.secret ?? null }
  const liveness = watchLiveness(transport, withoutCredentials(url).href, plain)
  const target: LiveTarget = {
    reach,
    capabilities: new Set(description.capabilities),
    confirmBudget: description.confirmBudget ?? null,
    partnerReport: partnerReportOf(description.partnerReport),
    samples,
    manifest: ground.manifest,
    keys,
    transport: tap === undefined ? liveness.transport : tapTransport(liveness.transport, tap),
    checkLiveness: liveness.check,
    redact: redactorOf(options.secrets),
    clockAheadMs: process.clockAheadMs,
    rpc: reach === 'http' ? null : rpc,
    chain: reach === 'sandbox' && rpc !== null ? await takeOverChain(rpc, ground.floorNumber) : null,
    line: line === null || tap === undefined ? line : tapLine(line, tap),
    tap: tap ?? null,
    revokeKey:
      description.revokeKey === undefined
        ? null
        : revokerOf(description.revokeKey, { ...variablesNamed(options.env), ...variables }),
  }
  if (tap !== undefined) await openTap(tap, target, ground)
  const lane = liveLane(target)
  return {
    name,
    baseUrl: withoutCredentials(url).href.replace(/\/$/, ''),
    ...outsideScope(reach, description, keys, target.line !== null),
    lanes: [lane],
    secrets: options.secrets,
    notices: ground.notices,
    keep: async (atBase) => {
      if (atBase) await lane.enter()
      return {
        url: url.href.replace(/\/$/, ''),
        rpcUrl: ground.rpc === null ? null : ground.manifest.rpcUrl,
        keys: secretsByName(keys),
        gone: process.gone ?? new Promise(() => {}),
      }
    },
    end,
  }
}

/** Connects a tap with the line, where that is in this process, and says what the tap listens to. */
async function openTap(tap: Tap, target: LiveTarget, ground: Ground): Promise<void> {
  const { reach, capabilities, manifest, keys, redact, clockAheadMs, chain } = target
  const hasLine = chain !== null && ground.listen !== null
  if (hasLine) ground.listen?.(tap)
  await tap.open({
    ...{ reach, capabilities, manifest, keys, redact, hasLine },
    nowMs: () => realTime.nowMs() + clockAheadMs,
    chain:
      chain === null || ground.rpc === null ? null : { rpc: ground.rpc, floorNumber: ground.floorNumber },
  })
}
