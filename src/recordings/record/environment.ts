import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { readBuilt } from '../../host/built.ts'
import { plumblineVersion } from '../../host/version.ts'
import { bootFlags, HARDFORK } from '../../sandbox/anvil.ts'
import { anvilBinaryPath } from '../../sandbox/binary.ts'
import type { ServicePolicy } from '../../service/testing.ts'
import type { World } from '../../simulation/world/world.ts'
import { contractDigests } from '../execute/contractDigests.ts'
import { sha256, sorted } from '../format/canonical.ts'
import { catalogueReference } from '../format/catalogue.ts'
import type { DraftOf } from '../format/drafts.ts'

export type RunManifest = DraftOf<'manifest'>
export type Provenance = DraftOf<'provenance'>

const ROOT = new URL('../../../', import.meta.url)
const SERVICE = new URL('../../service/', import.meta.url)
/** The sources that decide verdicts: the judges, and the code that reads their input from a recording. */
const JUDGES = ['../../oracles/', '../verify/'].map((folder) => new URL(folder, import.meta.url))

const REDACTED = '<redacted>'
/** The places where a recording holds `<redacted>` instead of a key. */
export const REDACTIONS = ['http.headers.authorization', 'manifest.anvil.flags --mnemonic'] as const

/** Returns the manifest of a run in this environment. @param defect the id of the known-broken service; default: none. */
export async function describeRun(world: World, defect?: string): Promise<RunManifest> {
  const { manifest, policy, sandbox } = world
  return {
    kind: 'manifest',
    chainId: manifest.chainId,
    hardfork: HARDFORK,
    anvil: {
      client: await sandbox.rpc.request<string>('web3_clientVersion'),
      flags: tellingFlags(),
    },
    contracts: contractDigests(),
    policy: plainPolicy(policy),
    ...(defect === undefined ? {} : { defect }),
    redacted: [...REDACTIONS],
  }
}

let provenance: Provenance | undefined

/** Returns the versions and digests of the programs that run here. Read once: Anvil's binary has tens of megabytes. */
export function describePrograms(): Provenance {
  provenance ??= {
    kind: 'provenance',
    node: process.version,
    catalogue: catalogueReference(),
    ...((readBuilt('sources.json') as Sources | null) ?? describeSources()),
    anvil: {
      platform: `${process.platform}-${process.arch}`,
      sha256: createHash('sha256').update(readFileSync(anvilBinaryPath())).digest('hex'),
    },
  }
  return provenance
}

type Sources = Pick<Provenance, 'plumbline' | 'lockfileSha256' | 'serviceSha256' | 'judgesSha256'>

/** Returns the version and the digests of the sources of this checkout. */
export function describeSources(): Sources {
  return {
    plumbline: plumblineVersion(),
    lockfileSha256: sha256(readText(new URL('package-lock.json', ROOT))),
    serviceSha256: sourceDigest(SERVICE),
    judgesSha256: sha256(JUDGES.map(sourceDigest).join('\n')),
  }
}

/** Returns the policy as JSON, with gas as decimal text. */
function plainPolicy(policy: ServicePolicy): Record<string, unknown> {
  const plain = Object.entries(policy).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'bigint' ? value.toString() : value,
  ])
  return sorted(Object.fromEntries(plain)) as Record<string, unknown>
}

/** Returns the policy of a recording. */
export function policyOf({ policy }: Pick<RunManifest, 'policy'>): Partial<ServicePolicy> {
  return { ...policy, venueGasLimit: BigInt(String(policy.venueGasLimit)) }
}

/**
 * Returns the flags of Anvil that affect a run: without host and port, and with the mnemonic, whose effects are in the genesis
 * hash, redacted.
 *
 * @param timestampS the time of the genesis block. Default: that of every simulation.
 */
export function tellingFlags(timestampS?: number): string[] {
  const flags = [...bootFlags(timestampS === undefined ? {} : { timestampS })]
  for (const place of ['--host', '--port']) flags.splice(flags.indexOf(place), 2)
  flags[flags.indexOf('--mnemonic') + 1] = REDACTED
  return flags
}

/** Returns one digest of all sources in a folder, tests left out. */
function sourceDigest(folder: URL): string {
  const files = (readdirSync(folder, { recursive: true }) as string[])
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.includes('testing/'))
    .sort()
  return sha256(files.map((file) => `${file} ${sha256(readText(new URL(file, folder)))}`).join('\n'))
}

function readText(url: URL): string {
  return readFileSync(url, 'utf8')
}
