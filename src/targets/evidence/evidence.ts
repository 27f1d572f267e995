import { AsyncContext } from '../../host/asyncContext.ts'
import type { Choice, Outcome, Verdict } from '../../oracles/index.ts'
import { type Exchange, redactKeys } from '../../spec/exchange.ts'
import { type RequirementId, requirement } from '../../spec/requirements/index.ts'
import type { Redact } from '../../spec/secrets/redact.ts'
import type { EngineId } from '../../spec/venues.ts'
import { KEPT, type KeptExchange, keepExchange, keepText } from './kept.ts'

/** Verdicts that one recorder collected on one requirement. */
export interface Judged {
  readonly requirement: RequirementId
  /** Numbers of observations that passed, failed, or were only recorded. Several verdicts on one response count once. */
  readonly passed: number
  readonly failed: number
  readonly observed: number
  /** Venues of the judged responses; empty where no venue matters. */
  readonly venues: readonly EngineId[]
  /** Edges of the input space that were covered. */
  readonly boundaryClasses: readonly string[]
  /** Behaviour that was observed where nothing is judged, or where a convention is broken; each once. */
  readonly observations: readonly string[]
}

/** An answer at an open point, with the exchange that shows it; null: more than one does. */
export interface ShownChoice extends Choice {
  readonly exchange: Exchange | null
}

interface Tally {
  readonly moments: Readonly<Record<Outcome, Set<number>>>
  readonly venues: Set<EngineId>
  readonly boundaryClasses: Set<string>
  readonly observations: Set<string>
}

/** A refusal that passed, but counts only once its twin was served. */
interface Held {
  readonly twin: string
  readonly verdict: Verdict
  readonly venue: EngineId | undefined
  readonly moment: number
  readonly exchange: KeptExchange | null
}

/** Collects the verdicts of a case, or of another piece of work, while it runs. */
export interface EvidenceRecorder {
  /** Runs `work`; everything that it records, in any call below it, lands here. */
  collect<Result>(work: () => Promise<Result>): Promise<Result>
  judged(): readonly Judged[]
  /** Returns the requirements of refusals whose twin was not served; `judged` leaves them out. */
  unserved(): readonly RequirementId[]
  /** Returns the target's choices at open points, each answer once. */
  choices(): readonly ShownChoice[]
  /** Returns the attached data; undefined: there is none. */
  attached(): unknown
}

interface Running {
  readonly strict: boolean
  readonly redact: Redact
  readonly tallies: Map<RequirementId, Tally>
  readonly choices: Map<string, ShownChoice>
  /** Counts observations, so that two verdicts on the same response are one observation. */
  moment: number
  /** The newest exchange; null: there is none, or the next verdicts are on several. */
  exchange: KeptExchange | null
  /** The exchange that was named as the subject of the next verdicts; null: none was since the newest one. */
  named: Exchange | null
  /** Effects of the active faults, by the faulty thing. */
  readonly faults: Map<string, string>
  /** Actions of the case since the newest request. */
  done: readonly string[]
  /** Refusals whose twin was not served yet, and the twins that were. */
  held: readonly Held[]
  readonly served: Set<string>
  attached: unknown
}

const running = new AsyncContext<Running>()

/**
 * @param strict true if a broken convention ends the work like a broken promise. Default: as in the outer recorder.
 * @param redact removes secrets from texts that are cut. Default: as in the outer recorder.
 */
export function createEvidenceRecorder(
  strict = countsConventions(),
  redact: Redact = running.value?.redact ?? ((text) => text),
): EvidenceRecorder {
  const state: Running = {
    ...{ strict, redact, tallies: new Map(), choices: new Map(), moment: 0, exchange: null, named: null },
    ...{ faults: new Map(), done: [], held: [], served: new Set(), attached: undefined },
  }
  return {
    collect: (work) => running.run(state, work),
    judged: () =>
      [...state.tallies].map(([requirement, { moments, venues, boundaryClasses, observations }]) => ({
        requirement,
        passed: moments.pass.size,
        failed: moments.fail.size,
        observed: moments.observed.size,
        venues: [...venues].sort(),
        boundaryClasses: [...boundaryClasses].sort(),
        observations: [...observations].sort(),
      })),
    unserved: () => [...new Set(state.held.map(({ verdict }) => verdict.requirement))],
    choices: () => [...state.choices.values()],
    attached: () => state.attached,
  }
}

/** Adds plain data to the result of the running case, however it ends; no report contains it. */
export function attach(data: unknown): void {
  if (running.value !== undefined) running.value.attached = data
}

/** Returns whether the current recorder counts conventions. */
export function countsConventions(): boolean {
  return running.value?.strict ?? false
}

/**
 * Starts a new observation, to which the next verdicts belong. Without a recorder, does nothing.
 *
 * @param exchange the observation; absent: more than one exchange.
 */
export function noteMoment(exchange: KeptExchange | null = null): void {
  const state = running.value
  if (state === undefined) return
  state.moment += 1
  state.exchange = exchange
  state.named = null
}

/** Names the exchange that shows the next verdicts, where it is not the newest. Without a recorder, does nothing. */
export function noteExchange(exchange: Exchange): void {
  const state = running.value
  if (state === undefined) return
  state.exchange = keepExchange(exchange, state.redact)
  state.named = state.exchange
}

/** Returns the exchange that was named as the subject of the current verdicts; null: none was. */
export function namedExchange(): Exchange | null {
  return running.value?.named ?? null
}

/** Records that the case injected or ended a fault. Without a recorder, does nothing. @param effect null: it ended. */
export function noteFault(of: string, effect: string | null): void {
  if (effect === null) running.value?.faults.delete(of)
  else running.value?.faults.set(of, effect)
}

/** Records an action of the case before its next request, such as a reorganisation. Without a recorder, does nothing. */
export function noteDone(what: string): void {
  if (running.value !== undefined) running.value.done = [...running.value.done, what]
}

/** Returns the conditions of the next request: the active faults, and the case's actions since the previous request. */
export function takeConditions(): readonly string[] {
  const state = running.value
  if (state === undefined) return []
  const effects = [...new Set(state.faults.values())]
  const sharing = (effect: string) => [...state.faults].flatMap(([of, its]) => (its === effect ? [of] : []))
  const faults = effects.map((effect) => `${sharing(effect).join(', ')}: ${effect}`)
  const conditions = [...faults, ...state.done]
  state.done = []
  return conditions
}

/** Records that the environment is as at the start: no fault is active. */
export function forgetConditions(): void {
  running.value?.faults.clear()
  if (running.value !== undefined) running.value.done = []
}

/**
 * Records verdicts; without a recorder, does nothing.
 *
 * @param refusedTwin set for the verdicts of a refusal, whose passes count only once this twin was served.
 */
export function recordVerdicts(verdicts: readonly Verdict[], venue?: EngineId, refusedTwin?: string): void {
  const state = running.value
  if (state === undefined) return
  const { moment, exchange } = state
  for (const verdict of verdicts) {
    const waits = refusedTwin !== undefined && !state.served.has(refusedTwin) && verdict.outcome === 'pass'
    if (waits) state.held = [...state.held, { twin: refusedTwin, verdict, venue, moment, exchange }]
    else recordVerdict(state, { verdict, venue, moment, exchange })
  }
}

/** Records that a request was served: the refusals of its wrong twins count, those before it and those after it. */
export function recordServed(twin: string): void {
  const state = running.value
  if (state === undefined) return
  state.served.add(twin)
  for (const held of state.held) if (held.twin === twin) recordVerdict(state, held)
  state.held = state.held.filter((held) => held.twin !== twin)
}

function recordVerdict(state: Running, { verdict, venue, moment, exchange }: Omit<Held, 'twin'>): void {
  const tally = tallyOf(state, verdict.requirement)
  tally.moments[verdict.outcome].add(moment)
  if (venue !== undefined) tally.venues.add(venue)
  for (const boundary of verdict.boundaryClasses ?? []) tally.boundaryClasses.add(boundary)
  if (verdict.outcome === 'observed' && verdict.actual !== undefined)
    addObservation(state, tally, verdict.actual)
  const { level } = requirement(verdict.requirement)
  if (verdict.outcome === 'fail' && level === 'convention') addObservation(state, tally, departureOf(verdict))
  const ofConvention = level === 'convention' ? choicesOfConvention(verdict) : []
  for (const choice of [...(verdict.choices ?? []), ...ofConvention]) addChoice(state, choice, exchange)
}

/** Returns whether a convention is kept; empty: it is not judged, or broken only as a consequence. */
function choicesOfConvention({ requirement, outcome, follows }: Verdict): readonly Choice[] {
  if (outcome === 'observed' || follows !== undefined) return []
  return [{ point: requirement, answer: outcome === 'pass' ? 'kept' : 'not-kept' }]
}

function addChoice({ choices }: Running, { point, answer }: Choice, exchange: KeptExchange | null): void {
  const key = `${point} ${answer}`
  if (!choices.has(key))
    choices.set(key, { point, answer, exchange: exchange === null ? null : redactKeys(exchange) })
}

function addObservation({ redact }: Running, { observations }: Tally, text: string): void {
  if (observations.size < KEPT.observedTexts)
    observations.add(keepText(text, redact, KEPT.observedCharacters))
}

const departureOf = ({ expected, actual }: Verdict) => `${actual}; by convention ${expected}`

/** Adds verdicts that were collected separately to the current recorder. */
export function recordJudged(judged: readonly Judged[]): void {
  const state = running.value
  if (state === undefined) return
  for (const { requirement, passed, failed, observed, ...classes } of judged) {
    const tally = tallyOf(state, requirement)
    for (const [outcome, times] of [
      ['pass', passed],
      ['fail', failed],
      ['observed', observed],
    ] as const) {
      for (let each = 0; each < times; each += 1) {
        state.moment += 1
        tally.moments[outcome].add(state.moment)
      }
    }
    for (const venue of classes.venues) tally.venues.add(venue)
    for (const boundary of classes.boundaryClasses) tally.boundaryClasses.add(boundary)
    for (const text of classes.observations) addObservation(state, tally, text)
  }
}

function tallyOf(state: Running, requirement: RequirementId): Tally {
  const known = state.tallies.get(requirement)
  if (known !== undefined) return known
  const fresh: Tally = {
    moments: { pass: new Set(), fail: new Set(), observed: new Set() },
    venues: new Set(),
    boundaryClasses: new Set(),
    observations: new Set(),
  }
  state.tallies.set(requirement, fresh)
  return fresh
}
