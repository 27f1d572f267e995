import { undoAtSignal } from '../../host/atExit.ts'
import { readHead } from '../../sandbox/blocks.ts'
import { createRpc, type Rpc } from '../../sandbox/rpc.ts'
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts'
import type { Manifest } from '../../spec/manifest.ts'
import type { Need } from '../../spec/requirements/index.ts'
import type { SampleSwaps } from '../environment/environment.ts'
import type { Line } from '../environment/line.ts'
import { checkStill, returnToBase } from './chainBase.ts'
import { type LineProxy, startLineProxy } from './lineProxy.ts'
import { drivenGenesisS } from './liveChain.ts'
import { reachLine } from './reachLine.ts'
import { DEPLOYED_SAMPLES, deployedManifest, sandboxSamples } from './samples.ts'

/** The chain under a target, as far as it is known. */
export interface TargetChain {
  readonly manifest: Manifest
  /** The same, with the URL of the connection into which faults can be injected. */
  readonly forTarget: Manifest
  readonly rpc: Rpc | null
  readonly floorNumber: bigint
  readonly line: Line | null
  /** Reports the round trips on the line to a tap; null: it is in another process. */
  readonly listen: LineProxy['listen'] | null
  readonly samples: SampleSwaps
  /** Problems that were found and corrected before the run. */
  readonly notices: readonly string[]
  end(): Promise<void>
}

export const NO_CHAIN: TargetChain = {
  manifest: deployedManifest(),
  forTarget: deployedManifest(),
  rpc: null,
  floorNumber: 0n,
  line: null,
  listen: null,
  samples: DEPLOYED_SAMPLES,
  notices: [],
  end: async () => {},
}

/** Returns the chain of the manifest; without one, a new sandbox. */
export async function targetChainOf(manifest: Manifest | null, reach: Need): Promise<TargetChain> {
  return manifest === null ? ownChain() : givenChain(manifest, reach)
}

async function ownChain(): Promise<TargetChain> {
  const shared = await startSharedChain()
  return { ...(await shared.enter()), end: shared.end }
}

/** A sandbox that outlives the targets on it, which use it one at a time. */
export interface SharedChain {
  /** Returns the chain as after its start. Earlier users can no longer reach it. Ending it leaves the sandbox up. */
  enter(): Promise<TargetChain>
  end(): Promise<void>
}

/** Starts a sandbox, and the proxy in front of it. @throws the errors of `startSandbox`. */
export async function startSharedChain(): Promise<SharedChain> {
  const sandbox: Sandbox = await startSandbox({ timestampS: drivenGenesisS() })
  let proxy: LineProxy
  try {
    proxy = await startLineProxy(sandbox.manifest)
  } catch (error) {
    await sandbox.stop()
    throw error
  }
  let rpc: SeverableRpc | null = null
  return {
    enter: async () => {
      if (rpc !== null) {
        await rpc.sever()
        proxy.listen(null)
        proxy.restore()
        await sandbox.reset()
      }
      rpc = severable(sandbox.rpc)
      return {
        manifest: sandbox.manifest,
        forTarget: { ...sandbox.manifest, rpcUrl: proxy.url },
        rpc,
        floorNumber: sandbox.base.number,
        line: {
          inject: async (kind) => proxy.inject(kind),
          restore: async () => proxy.restore(),
          interrupt: proxy.interrupt,
        },
        listen: proxy.listen,
        samples: sandboxSamples(sandbox.manifest),
        notices: [],
        end: async () => {},
      }
    },
    end: async () => {
      await proxy.stop()
      await sandbox.stop()
    },
  }
}

async function givenChain(manifest: Manifest, reach: Need): Promise<TargetChain> {
  const reached = await reachLine(manifest.rpcUrl)
  const own = createRpc({ url: reached?.direct ?? manifest.rpcUrl })
  const cases = severable(own)
  const base = reached?.base ?? (await readHead(own))
  const chain = {
    manifest,
    forTarget: manifest,
    rpc: cases,
    floorNumber: base.number,
    line: reached,
    listen: null,
    samples: sandboxSamples(manifest),
  }
  if (reach !== 'sandbox') return { ...chain, notices: [], end: async () => own.close() }

  await checkStill(own)
  /** Undoes what a run left behind. */
  const restore = async (): Promise<string | null> => {
    await reached?.restore()
    return returnToBase(own, base)
  }
  const found = await restore()
  const forget = undoAtSignal(async () => {
    await cases.sever()
    await restore()
  })
  return {
    ...chain,
    notices: found === null ? [] : [found],
    end: async () => {
      // A chain that is gone has nothing to restore, and the next run checks again.
      await restore().catch(() => null)
      forget()
      own.close()
    },
  }
}

/** A node from which a case can be cut off. */
interface SeverableRpc extends Rpc {
  /** Leaves every later call without an answer; resolves once the calls in progress have theirs. */
  sever(): Promise<void>
}

/**
 * Returns the same node, until it is severed. A case that is running when a signal arrives cannot be stopped in another way,
 * and must not move a chain that is being restored; the process ends before the missing answers matter.
 */
function severable(rpc: Rpc): SeverableRpc {
  const underWay = new Set<Promise<unknown>>()
  let isSevered = false
  const pass = <Result>(call: () => Promise<Result>): Promise<Result> => {
    if (isSevered) return new Promise(() => {})
    const answer = call()
    underWay.add(answer)
    const forget = () => underWay.delete(answer)
    answer.then(forget, forget)
    return answer
  }
  return {
    url: rpc.url,
    request: (method, params) => pass(() => rpc.request(method, params)),
    batch: (calls) => pass(() => rpc.batch(calls)),
    close: () => rpc.close(),
    sever: async () => {
      isSevered = true
      await Promise.allSettled(underWay)
    },
  }
}
