import { variablesNamed } from '../../host/inheritedVariables.ts'
import { tapRpc } from '../../sandbox/tapRpc.ts'
import { redactorOf } from '../../spec/secrets/redact.ts'
import { withoutCredentials } from '../../spec/secrets/url.ts'
import { controlOf, takeOverChain } from '../chain/liveChain.ts'
import type { TargetChain } from '../chain/targetChain.ts'
import { secretsByName, type TargetDescription } from '../description.ts'
import { clientOn, inRealTime } from '../environment/clients.ts'
import type { SampleSwaps } from '../environment/environment.ts'
import { laneOf, type ReachedTarget } from '../environment/lane.ts'
import { partnerReportOf } from '../environment/partnerReport.ts'
import { createRealPace } from '../environment/realPace.ts'
import { realTime } from '../realTime.ts'
import { targetScope } from '../scope.ts'
import { chainProblemOf, type TargetSession } from '../session.ts'
import { createHttpTransport } from '../transports/httpTransport.ts'
import { watchLiveness } from '../transports/liveness.ts'
import { type Tap, tapLine, tapTransport } from '../transports/tap.ts'
import { clientContext } from './clientContext.ts'
import type { OutsideOptions } from './outsideOptions.ts'
import type { RestartingProcess } from './restartingProcess.ts'
import { revokerOf } from './revoke.ts'
import type { SpawnedProcess } from './spawnedProcess.ts'

/** Returns the session of a target that listens at `url`. @param variables those of its process, for the command that revokes keys */
export async function outsideSession(
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
  // A user who watches a service wants to see it end.
  const restart = options.watch === undefined ? process.restart : undefined
  const rpc =
    targetChain.rpc && tap
      ? tapRpc(targetChain.rpc, (...command) => tap.control(...command))
      : targetChain.rpc
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
  // Differs from all earlier ones, including those of other runs against the same service.
  let turn = BigInt(Math.floor(realTime.nowMs() / 1_000) % 2_000) * 500n
  const control =
    chain &&
    (() => {
      turn += 1n
      return controlOf(targetChain.manifest, chain, pace, turn)
    })
  const { program } = options
  const unused = new Map<string, number>()
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
              clientContext({ http, tap, targetChain, keys, control, unused }),
              inRealTime(program),
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

/** Returns the swaps of the cases: those that the target declares, otherwise those of its chain. */
function samplesOf({ market }: TargetDescription, ofChain: SampleSwaps): SampleSwaps {
  if (market === undefined) return ofChain
  const { from, to, amount, sender, outside = ofChain.outside } = market
  return { swap: { from, to, amount }, sender, outside }
}

/** Connects a tap with the line, if that is in this process, and opens the tap with the target that it observes. */
async function openTap(
  tap: Tap,
  target: ReachedTarget,
  targetChain: TargetChain,
  hasControl: boolean,
): Promise<void> {
  const { reach, capabilities, manifest, keys, partnerReport, redact, pace } = target
  const hasLine = hasControl && targetChain.listen !== null
  if (hasLine) targetChain.listen?.(tap)
  await tap.open({
    ...{ reach, capabilities, manifest, keys, partnerReport, redact, hasLine },
    hasClient: target.program !== null,
    nowMs: pace.clock.nowMs,
    chain:
      !hasControl || targetChain.rpc === null
        ? null
        : { rpc: targetChain.rpc, floorNumber: targetChain.floorNumber },
  })
}
