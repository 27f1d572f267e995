import { type Happening, happeningOf, RESTART } from '../../src/simulation/happenings.ts'
import type { LoggedAnswer, StepLog, StepSurroundings } from '../../src/simulation/runLog.ts'
import type { StepInput } from '../../src/simulation/steps.ts'
import type { ObservedHistory } from './observe.ts'
import { answerState } from './states.ts'

/** Where the service meets a fault that stays until it is healed. */
const MET_BY: Readonly<Record<'venue fault' | 'clock off', ReadonlySet<StepLog['op']>>> = {
  'venue fault': new Set(['quote', 'build']),
  'clock off': new Set(['build', 'confirm', 'race']),
}
const NO_RESPONSE = 'none: the service ended'

interface Report {
  readonly build: string
  readonly tx: string
}

/**
 * The circumstances that a history met, each once: a step with its answer, the faults that were in force, and where
 * confirm stood. Of a report, whatever happened since the last report of its build is in force, and confirm stood at the
 * answer to that one, and came as many round trips further. A step during a report has confirm stand at its round trip.
 */
export function circumstancesOf({ steps, run }: Pick<ObservedHistory, 'steps' | 'run'>): readonly string[] {
  const met = new Set<string>()
  const past = new Past()
  /** Steps that are to run within a request. */
  const planned: StepInput[] = []
  for (const [index, entry] of run.log.entries()) {
    const step = entry.path.includes('/') ? takePlanned(planned, entry) : steps[Number(entry.path)]
    if (step?.op === 'meanwhile') planned.push(...step.steps)
    const around = run.surroundings[index]
    if (step === undefined || around === undefined) continue
    const reports = reportsOf(step)
    const struck = [...around.struck, ...past.standingFor(entry.op)]
    if (reports.length === 0) {
      const during = entry.path.includes('/') ? `during round trip ${around.roundTrips}` : ''
      met.add(circumstance(entry.op, plainAnswer(entry), struck, during))
    }
    for (const [which, report] of reports.entries()) {
      const answer = reportAnswer(entry, which, reports.length)
      const { happened, before } = past.report(report, answer)
      const stood = `${before}, ${tripsOf(around, reports)}`
      met.add(circumstance(entry.op, answer, [...struck, ...happened], stood))
    }
    past.note(step, entry)
  }
  return [...met].sort()
}

/** The planned step that this is: the first of its kind. Which of several requests it was planned for decides nothing here. */
function takePlanned(planned: StepInput[], { op }: StepLog): StepInput | undefined {
  const index = planned.findIndex((step) => step.op === op)
  return index < 0 ? undefined : planned.splice(index, 1)[0]
}

function circumstance(op: string, answer: string, inForce: readonly string[], stood: string): string {
  return [op, answer, [...new Set(inForce)].sort().join(' + '), stood].join(' | ')
}

/** What came before, as far as later steps meet it. */
class Past {
  readonly #happened: Happening[] = []
  /** By build: the last answer to its report, and how much had happened by then. */
  readonly #reports = new Map<string, { readonly answer: string; readonly happened: number }>()
  readonly #standing = new Set<keyof typeof MET_BY>()

  /** Faults that stay until they are healed, and that the service meets at this step. */
  standingFor(op: StepLog['op']): readonly string[] {
    return [...this.#standing].filter((fault) => MET_BY[fault].has(op))
  }

  /** What lies between a report and the last one of its build, which it then takes the place of. */
  report(
    { build, tx }: Report,
    answer: string,
  ): { readonly happened: readonly string[]; readonly before: string } {
    const last = this.#reports.get(build)
    const since = this.#happened.slice(last?.happened ?? 0)
    this.#reports.set(build, { answer, happened: this.#happened.length })
    return {
      happened: since.filter(({ to }) => to === null || to === tx).map(({ what }) => what),
      before: last === undefined ? 'the first report' : `after ${last.answer}`,
    }
  }

  note(step: StepInput, { crashed }: StepLog): void {
    if (crashed === true) this.#happened.push(RESTART)
    const happened = happeningOf(step)
    if (happened !== null) this.#happened.push(happened)
    switch (step.op) {
      case 'mine-at-deadline':
        this.#happened.push({ what: step.op, to: null })
        break
      case 'fault':
        this.#standing.add('venue fault')
        break
      case 'skew':
        this.#standing.add('clock off')
        break
      case 'heal':
        this.#standing.clear()
        break
    }
  }
}

function reportsOf(step: StepInput): readonly Report[] {
  if (step.op === 'race') return step.reports
  return step.op === 'confirm' ? [step] : []
}

/** Of reports at once, whose round trips they were is unknown. */
function tripsOf({ roundTrips }: StepSurroundings, reports: readonly Report[]): string {
  return reports.length > 1 ? `${reports.length} at once` : `${roundTrips} round trips`
}

/** Where some of several reports got no response, which of them did is unknown. */
function reportAnswer({ answers, crashed }: StepLog, which: number, reports: number): string {
  const answer: LoggedAnswer | undefined = answers.length === reports ? answers[which] : undefined
  if (answer !== undefined) return answerState(answer)
  return crashed === true ? NO_RESPONSE : 'unknown'
}

function plainAnswer({ answers, crashed }: StepLog): string {
  if (crashed === true) return NO_RESPONSE
  return [...new Set(answers.map(({ status }) => status))].sort().join(', ')
}
