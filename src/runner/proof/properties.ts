import type { World } from '../../simulation/world/world.ts'
import type { Defect } from './defect.ts'
import type { ProofWorlds } from './runCase.ts'

/** The properties, as far as the proof needs them. */
export interface ProvableProperties {
  /** By property, the defects that it must kill: two at least. */
  readonly expectedKills: Readonly<Record<string, readonly string[]>>
  /** @returns those of these properties that found a counterexample for the broken service. */
  falsified(world: World, defect: Defect, properties: ReadonlySet<string>): Promise<ReadonlySet<string>>
}

/** Describes what a property must kill, and what it killed. */
export interface PropertyKills {
  readonly id: string
  readonly expected: readonly string[]
  readonly kills: readonly string[]
}

/** A property that kills fewer says little about a service. */
export const LEAST_KILLS = 2

/**
 * Runs every property against the defects that it must kill.
 *
 * @throws {RangeError} a property must kill a defect that does not exist.
 */
export async function proveProperties(
  { expectedKills, falsified }: ProvableProperties,
  defects: readonly Defect[],
  worlds: ProofWorlds,
  onDefect?: (id: string) => void,
): Promise<readonly PropertyKills[]> {
  const wanted = [...new Set(Object.values(expectedKills).flat())].map((id) => {
    const defect = defects.find((one) => one.id === id)
    if (defect === undefined) throw new RangeError(`a property must kill ${id}, which does not exist`)
    const expecting = Object.keys(expectedKills).filter((property) => expectedKills[property]?.includes(id))
    return { defect, expecting: new Set(expecting) }
  })
  const found = await worlds.each(wanted, async (world, { defect, expecting }) => {
    const kills = await falsified(world, defect, expecting)
    onDefect?.(defect.id)
    return { defect: defect.id, kills }
  })
  return Object.entries(expectedKills).map(([id, expected]) => ({
    id,
    expected,
    kills: found.filter(({ kills }) => kills.has(id)).map(({ defect }) => defect),
  }))
}
