import type { InsideExchanges } from './exchanges.ts'
import type { FaultPlan } from './faultPlan.ts'
import { issueKey, revokeKey } from './keySteps.ts'
import type { ScenarioNames } from './names.ts'
import type { ScenarioReports } from './reports.ts'
import type { Step } from './steps.ts'
import type { World } from './world.ts'

/** A service in this process. */
export interface Inside {
  readonly world: World
  readonly exchanges: InsideExchanges
}

interface Deps extends Inside {
  readonly names: ScenarioNames
  readonly faults: FaultPlan
  readonly reports: ScenarioReports
}

const INSIDE_OPS = [
  'line-fault',
  'store-fault',
  'meanwhile',
  'crash-at',
  'skew',
  'issue-key',
  'revoke-key',
  'restart',
] as const

type InsideStep = Extract<Step, { readonly op: (typeof INSIDE_OPS)[number] }>

/** Whether a step needs in-process access to the service. */
export function isInsideStep<Written extends Pick<Step, 'op'>>(
  step: Written,
): step is Extract<Written, { readonly op: InsideStep['op'] }> {
  return (INSIDE_OPS as readonly string[]).includes(step.op)
}

/** The steps that need in-process access: faults of the service's line and store, its clock, its keys, restarts. */
export class InsideSteps {
  readonly #deps: Deps
  #aheadMs = 0

  constructor(deps: Deps) {
    this.#deps = deps
  }

  async run(step: InsideStep): Promise<void> {
    const { world, exchanges, names, faults } = this.#deps
    switch (step.op) {
      case 'line-fault':
        return faults.planLine(step)
      case 'store-fault':
        return faults.planStore(step)
      case 'meanwhile':
        return exchanges.plan(step)
      case 'crash-at':
        return exchanges.planCrash(step)
      case 'skew':
        return this.#skew(step.aheadMs)
      case 'issue-key':
        return issueKey(world, names, step)
      case 'revoke-key':
        return revokeKey(world, names, step)
      case 'restart':
        return world.restart()
    }
  }

  /** Ends the skew of the service's clock. */
  heal(): void {
    if (this.#aheadMs !== 0) this.#skew(0)
  }

  #skew(aheadMs: number): void {
    this.#aheadMs = aheadMs
    this.#deps.world.skew(aheadMs)
    this.#deps.reports.clockSet()
  }
}
