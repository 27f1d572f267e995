import { createHash } from 'node:crypto'
import { plumblineVersion } from '../host/version.ts'
import { contractDigests } from '../recordings/execute/contractDigests.ts'
import { anvilVersion } from '../sandbox/binary.ts'
import { UsageError } from '../spec/errors.ts'
import type { SeedPlan } from './seedRunner.ts'

/** Versions that affect the outcome of a seed; they must be equal on every machine of a campaign. */
export interface Versions {
  readonly plumbline: string
  readonly anvil: string
  /** SHA-256 over the bytecode of the venues' contracts. */
  readonly contracts: string
  readonly nodeMajor: number
}

export interface Machine {
  readonly versions: Versions
  /** Digest of the outside service that is named on this machine. Default: none is named. */
  readonly target?: string | null
}

/** A machine can neither work on a campaign nor verify it: its seeds would have other outcomes. */
export class OtherMachineError extends UsageError {
  override readonly name = 'OtherMachineError'
}

export function ownVersions(): Versions {
  return {
    plumbline: plumblineVersion(),
    anvil: anvilVersion(),
    contracts: createHash('sha256').update(JSON.stringify(contractDigests())).digest('hex'),
    nodeMajor: Number(process.versions.node.split('.')[0]),
  }
}

/** Returns the reason why a machine can neither work on a campaign nor verify it; null: it can. */
export function refusalOf(
  {
    id,
    plan: { target },
    versions,
  }: { readonly id: string; readonly plan: SeedPlan; readonly versions: Versions },
  { versions: own, target: named = null }: Machine,
): OtherMachineError | null {
  const names = Object.keys(versions) as (keyof Versions)[]
  const differences = names
    .filter((name) => own[name] !== versions[name])
    .map((name) => `${name} ${own[name]} instead of ${versions[name]}`)
  if (differences.length > 0)
    return new OtherMachineError(
      `campaign ${id} was started with other versions; here is ${differences.join(', ')}`,
      'Install the versions that it was started with, on every machine, or start a campaign with these.',
    )
  if (target === undefined || target.digest === named) return null
  return new OtherMachineError(
    named === null
      ? `campaign ${id} runs an outside service (${target.named}), and none is named here`
      : `campaign ${id} runs a service with other capabilities, keys or sandbox than the one named here`,
    "Name the service of this machine with --start 'CMD' or --target URL, with the --sandbox, --keys and --capabilities that the campaign was started with.",
  )
}

/** @throws {OtherMachineError} */
export function checkMachine(campaign: Parameters<typeof refusalOf>[0], own: Machine): void {
  const refusal = refusalOf(campaign, own)
  if (refusal !== null) throw refusal
}
