import type { ServiceDeps, ServicePolicy } from '../deps.ts'
import { DEFAULT_POLICY } from '../policy.ts'
import type { Chain, Clock, Store } from '../ports.ts'
import type { Build, KeyRecord } from '../records.ts'
import type { BuildRequest } from '../requests.ts'
import { AT, TEST_MANIFEST } from './manifest.ts'

/** Returns a store that only saves builds. */
export function buildsOnly(builds: Build[], insertBuild?: Store['insertBuild']): Store {
  const refuse = () => {
    throw new Error('this store keeps builds only')
  }
  return {
    insertBuild:
      insertBuild ??
      (async (build) => {
        builds.push(build)
      }),
    findKeyByHash: refuse,
    insertKey: refuse,
    revokeKey: refuse,
    listKeys: refuse,
    findBuild: refuse,
    removeUnreportedBuilds: refuse,
    findAttributionByBuild: refuse,
    findAttributionByTransaction: refuse,
    recordAttribution: refuse,
    spendBudget: refuse,
    metrics: refuse,
    ping: refuse,
    close: refuse,
  }
}

/** Returns dependencies of a service on a scripted chain. Identifiers count up. */
export function testDeps(
  clock: Clock,
  chain: Chain,
  overrides: { store?: Store; policy?: Partial<ServicePolicy>; manifest?: ServiceDeps['manifest'] } = {},
): ServiceDeps {
  let issued = 0
  return {
    policy: { ...DEFAULT_POLICY, ...overrides.policy },
    manifest: overrides.manifest ?? TEST_MANIFEST,
    clock,
    chain,
    store: overrides.store ?? buildsOnly([]),
    ids: {
      uuid: () => {
        issued += 1
        return `00000000-0000-4000-8000-${issued.toString().padStart(12, '0')}`
      },
      secret: () => '00'.repeat(32),
    },
    log: { info: () => {}, warn: () => {}, error: () => {} },
  }
}

export function keyOf(kind: KeyRecord['kind'], keyId = `key-${kind}`): KeyRecord {
  return { keyId, partnerId: 'partner', kind, secretSha256: '', createdAtMs: 0, revokedAtMs: null }
}

/** Returns a request to sell 1 ETH for USDG, with a test's changes. */
export function requestOf(changes: Partial<BuildRequest> = {}): BuildRequest {
  return {
    from: 'ETH',
    to: 'USDG',
    amount: 1,
    fromAddress: null,
    toAddress: null,
    fromDecimals: null,
    toDecimals: null,
    slippageBps: 50,
    sender: AT.sender,
    partnerFeeBps: 0,
    partnerFeeRecipient: null,
    preferEngine: null,
    fromPriceUsd: null,
    toPriceUsd: null,
    ...changes,
  }
}

/** Runs all work that waits only for promises. */
export async function settleMicrotasks(): Promise<void> {
  for (let turn = 0; turn < 100; turn += 1) await Promise.resolve()
}
