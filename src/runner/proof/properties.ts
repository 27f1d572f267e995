import type { World } from '../../simulation/world/world.ts'
import type { Defect } from './defect.ts'

/** The properties, as far as the proof needs them. */
export interface ProvableProperties {
  /** By property, the defects that it must kill: at least two. */
  readonly expectedKills: Readonly<Record<string, readonly string[]>>
  /** Returns those of these properties that found a counterexample for the broken service. */
  falsified(world: World, defect: Defect, properties: ReadonlySet<string>): Promise<ReadonlySet<string>>
}

/** Defects that a property must kill, and those that it killed. */
export interface PropertyKills {
  readonly id: string
  readonly expected: readonly string[]
  readonly kills: readonly string[]
}

/** A property that kills fewer defects says little about a service. */
export const LEAST_KILLS = 2

/** A defect, and the properties that must kill it. */
export interface WantedKills {
  readonly defect: Defect
  readonly properties: ReadonlySet<string>
}

/**
 * Returns the defects that properties must kill.
 *
 * @throws {RangeError} a property must kill a defect that does not exist.
 */
export function wantedKills(
  { expectedKills }: Pick<ProvableProperties, 'expectedKills'>,
  defects: readonly Defect[],
): readonly WantedKills[] {
  return [...new Set(Object.values(expectedKills).flat())].map((id) => {
    const defect = defects.find((one) => one.id === id)
    if (defect === undefined) throw new RangeError(`a property must kill ${id}, which does not exist`)
    const properties = Object.keys(expectedKills).filter((each) => expectedKills[each]?.includes(id))
    return { defect, properties: new Set(properties) }
  })
}
