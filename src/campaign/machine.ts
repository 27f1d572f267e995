import { createHash } from 'node:crypto'
import { plumblineVersion } from '../host/version.ts'
import { contractDigests } from '../recordings/execute/contractDigests.ts'
import { anvilVersion } from '../sandbox/binary.ts'
import { UsageError } from '../spec/errors.ts'
import type { SeedPlan } from './seedRunner.ts'

/** Describes what must be equal on every machine of a campaign: it decides what a seed comes to. */
export interface Versions {
  readonly plumbline: string
  readonly anvil: string
  /** SHA-256 over the bytecode of the venues' contracts. */
  readonly contracts: string
  readonly nodeMajor: number
}

/** Describes what a machine brings to a campaign. */
export interface Machine {
  readonly versions: Versions
  /** The digest of the outside service that is named on it. Default: none is. */
  readonly target?: string | null
}

/** A machine cannot work on a campaign, nor verify it: its seeds would come to something else. */
export class OtherMachineError extends UsageError {
  override readonly name = 'OtherMachineError'
}

/** Returns the versions of this machine. */
export function ownVersions(): Versions {
  return {
    plumbline: plumblineVersion(),
    anvil: anvilVersion(),
    contracts: createHash('sha256').update(JSON.stringify(contractDigests())).digest('hex'),
    nodeMajor: Number(process.versions.node.split('.')[0]),
  }
}

/** Returns why a machine can neither work on a campaign nor verify it; null: it can. */
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
      : `campaign ${id} runs a service of other capabilities, keys or sandbox than the one that is named here`,
    "Name the service of this machine with --start 'CMD' or --target URL, with the --sandbox, --keys and --capabilities that the campaign was started with.",
  )
}

/** @throws {OtherMachineError} */
export function checkMachine(campaign: Parameters<typeof refusalOf>[0], own: Machine): void {
  const refusal = refusalOf(campaign, own)
  if (refusal !== null) throw refusal
}
