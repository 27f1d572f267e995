import type { VenueId } from '../../spec/venues.ts'
import type { FaultPlan } from '../faults/faultPlan.ts'
import type { Exchanges } from '../run/exchanges.ts'
import type { ScenarioNames } from '../run/names.ts'
import type { ScenarioReports } from '../run/reports.ts'
import type { ScenarioRequests } from '../run/requests.ts'
import type { ScenarioTotals } from '../run/runLog.ts'
import type { DrivenChain } from '../world/drivenChain.ts'
import type { World } from '../world/world.ts'

/** A service in this process. */
export interface Inside {
  readonly world: World
  readonly exchanges: ScenarioRequests
}

/** The environment of the steps of one run, and their results for later steps and for the judges. */
export interface StepRun {
  readonly driven: DrivenChain
  readonly names: ScenarioNames
  readonly exchanges: Exchanges
  readonly faults: FaultPlan
  readonly reports: ScenarioReports
  readonly totals: ScenarioTotals[]
  /** Venues with a fault. */
  readonly faultyVenues: Set<VenueId>
  /** True if a step reads from a node that stays on an orphaned branch: otherwise none is kept. */
  readonly readsAbandoned: boolean
  /** Null: the service is reached over HTTP only. */
  readonly inside: Inside | null
}
