import type { InsideExchanges } from './exchanges.ts'
import type { FaultPlan } from './faultPlan.ts'
import { issueKey, revokeKey } from './keySteps.ts'
import type { StoryNames } from './names.ts'
import type { StoryReports } from './reports.ts'
import type { Step } from './steps.ts'
import type { World } from './world.ts'

/** A service in this process. */
export interface Inside {
  readonly world: World
  readonly exchanges: InsideExchanges
}

interface Deps extends Inside {
  readonly names: StoryNames
  readonly faults: FaultPlan
  readonly reports: StoryReports
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

/** Whether a step reaches into the service, as it is written or as it is parsed. */
export function isInsideStep<Written extends Pick<Step, 'op'>>(
  step: Written,
): step is Extract<Written, { readonly op: InsideStep['op'] }> {
  return (INSIDE_OPS as readonly string[]).includes(step.op)
}

/** The steps that reach into the service: its ports, its clock, its life. */
export class InsideSteps {
  readonly #deps: Deps
  #aheadMs = 0

  constructor(deps: Deps) {
    this.#deps = deps
  }

  async carryOut(step: InsideStep): Promise<void> {
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

  /** Sets the clock of the service right again. */
  heal(): void {
    if (this.#aheadMs !== 0) this.#skew(0)
  }

  #skew(aheadMs: number): void {
    this.#aheadMs = aheadMs
    this.#deps.world.skew(aheadMs)
    this.#deps.reports.clockSet()
  }
}
