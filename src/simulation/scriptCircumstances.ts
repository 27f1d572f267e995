import { type Happening, happeningOf, RESTART } from './happenings.ts'
import type { ScriptReport } from './scriptParts.ts'
import type { StepInput } from './steps.ts'

/** A build, or its last report. */
interface LastSeen {
  /** Where the transaction stood, and the faults that the report met. */
  readonly stood: string
  /** How much had happened by then. */
  readonly happened: number
}

/**
 * What the reports of a script meet, as far as follows from the script alone: where the transaction stands, where it stood at the last
 * report of the build, what happened since, and which faults are in force.
 */
export class ScriptCircumstances {
  readonly #met = new Set<string>()
  readonly #happened: Happening[] = []
  readonly #builds = new Map<string, LastSeen>()
  /** Faults that the next report meets. */
  #struck: string[] = []
  #clockOff = false

  /** How many different things the reports met. */
  get count(): number {
    return this.#met.size
  }

  /** @param standing where the chain has the transaction. */
  report(report: ScriptReport, way: 'alone' | 'race' | 'within', standing: string): void {
    const { key, build, tx } = report
    const now = `${standing} ${tx.change} ${claimOf(report)}`
    const last = this.#builds.get(build.name)
    const since = this.#happened
      .slice(last?.happened)
      .filter(({ to }) => to === null || [tx.name, build.name, key].includes(to))
    const met = [
      way,
      `now ${now}`,
      `before ${last?.stood}`,
      ...since.map(({ what }) => what),
      ...this.#struck,
    ]
    for (const each of met) this.#met.add(each)
    if (this.#clockOff) this.#met.add('clock off')
    this.#see(build.name, `${now} ${this.#struck.join(' ')}`)
    this.#struck = []
  }

  note(step: StepInput): void {
    if (step.op === 'build') this.#see(step.as, 'built')
    if (step.op === 'skew') this.#clockOff = true
    if (step.op === 'heal') {
      this.#clockOff = false
      this.#struck = []
    }
    this.#struck.push(...faultsOf(step))
    const happened = happeningIn(step)
    if (happened !== null) this.#happened.push(happened)
  }

  #see(build: string, stood: string): void {
    this.#builds.set(build, { stood, happened: this.#happened.length })
  }
}

/** Whether the transaction executes the build, and the key is the build's. */
function claimOf({ key, build, tx }: ScriptReport): string {
  const executes = tx.build === build || (build.twin !== null && tx.build === build.twin)
  return `${executes ? 'its own' : 'another'}${key === build.key ? '' : ' by another key'}`
}

/** Faults that the next report meets. */
function faultsOf(step: StepInput): readonly string[] {
  switch (step.op) {
    case 'meanwhile':
      return step.steps.map(({ op }) => `${op} ${step.when} round trip ${step.trip}`)
    case 'line-fault':
      return [`${step.kind} from ${step.skip === 0 ? 'the first' : 'a later'} round trip on`]
    case 'store-fault':
      return [`${step.method} ${step.kind}`]
    case 'crash-at':
      return ['crash']
    default:
      return []
  }
}

function happeningIn(step: StepInput): Happening | null {
  switch (step.op) {
    case 'crash-at':
      return RESTART
    case 'mine-at-deadline':
      return { what: `mined ${step.offsetS} s after the window`, to: step.build }
    case 'revoke-key':
      return { what: 'revoked', to: step.key }
    default:
      return happeningOf(step)
  }
}
