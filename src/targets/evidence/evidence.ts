import { AsyncContext } from '../../host/asyncContext.ts'
import type { Choice, Outcome, Verdict } from '../../oracles/index.ts'
import { type Exchange, redactKeys } from '../../spec/exchange.ts'
import { type RequirementId, requirement } from '../../spec/requirements/index.ts'
import type { Redact } from '../../spec/secrets/redact.ts'
import type { EngineId } from '../../spec/venues.ts'
import { KEPT, type KeptExchange, keepExchange, keepText } from './kept.ts'

/** Describes what one check really judged of one requirement. */
export interface Judged {
  readonly requirement: RequirementId
  /** How many observations passed, failed, or were only written down. Several verdicts on one answer count once. */
  readonly passed: number
  readonly failed: number
  readonly observed: number
  /** Which venues the judged answers were of; empty where no venue matters. */
  readonly venues: readonly EngineId[]
  /** Which edges of the input space were touched. */
  readonly boundaryClasses: readonly string[]
  /** Behaviour that was observed where nothing is judged, or where a convention is not kept; each once. */
  readonly observations: readonly string[]
}

/** Describes an answer at an open point, and the exchange that shows it; null: more than one exchange does. */
export interface ShownChoice extends Choice {
  readonly exchange: Exchange | null
}

interface Tally {
  readonly moments: Readonly<Record<Outcome, Set<number>>>
  readonly venues: Set<EngineId>
  readonly boundaryClasses: Set<string>
  readonly observations: Set<string>
}

/** A refusal that passed, and waits for the request that must be served for it to count. */
interface Held {
  readonly twin: string
  readonly verdict: Verdict
  readonly venue: EngineId | undefined
  readonly moment: number
  readonly exchange: KeptExchange | null
}

/** Collects the verdicts of one check while it runs. */
export interface EvidenceRecorder {
  /** Runs `work`; whatever it records, in whatever call below, lands here. */
  collect<Result>(work: () => Promise<Result>): Promise<Result>
  judged(): readonly Judged[]
  /** Returns the requirements of refusals whose twin was not served: they are not among what was judged. */
  unserved(): readonly RequirementId[]
  /** Returns what the target did at open points, each answer once. */
  choices(): readonly ShownChoice[]
  /** Returns what was attached; undefined: nothing was. */
  attached(): unknown
}

interface Running {
  readonly strict: boolean
  readonly redact: Redact
  readonly tallies: Map<RequirementId, Tally>
  readonly choices: Map<string, ShownChoice>
  /** Counts what happened between verdicts, so that two about the same answer are one observation. */
  moment: number
  /** The newest exchange; null: there is none, or what is judged next is of several. */
  exchange: KeptExchange | null
  /** The exchange that was named as what is judged next; null: none was since the newest one. */
  named: Exchange | null
  /** The faults in force, as their effects, by what each is a fault of. */
  readonly faults: Map<string, string>
  /** What the case did since the newest request. */
  done: readonly string[]
  /** Refusals whose twin was not served yet, and the twins that were. */
  held: readonly Held[]
  readonly served: Set<string>
  attached: unknown
}

const running = new AsyncContext<Running>()

/**
 * @param strict Whether a convention that is not kept ends the check like a broken promise. Default: as around it.
 * @param redact Takes secrets out of what is cut. Default: as around it.
 */
export function createEvidenceRecorder(
  strict = countsConventions(),
  redact: Redact = running.value?.redact ?? ((text) => text),
): EvidenceRecorder {
  const untouched = { named: null, faults: new Map<string, string>(), done: [] }
  const nothing = {
    ...untouched,
    moment: 0,
    exchange: null,
    held: [],
    served: new Set<string>(),
    attached: undefined,
  }
  const state: Running = { strict, redact, tallies: new Map(), choices: new Map(), ...nothing }
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

/** Adds plain data to the result of the case that is running, however it ends; no report holds it. */
export function attach(data: unknown): void {
  if (running.value !== undefined) running.value.attached = data
}

/** Returns whether the check that is running counts conventions. */
export function countsConventions(): boolean {
  return running.value?.strict ?? false
}

/**
 * Says that something new was seen: the next verdicts are about another observation. Nothing outside a check.
 *
 * @param exchange what was seen; absent: more than one exchange.
 */
export function noteMoment(exchange: KeptExchange | null = null): void {
  const state = running.value
  if (state === undefined) return
  state.moment += 1
  state.exchange = exchange
  state.named = null
}

/** Names the exchange that shows what is recorded next, where it is not the newest. Nothing outside a check. */
export function noteExchange(exchange: Exchange): void {
  const state = running.value
  if (state === undefined) return
  state.exchange = keepExchange(exchange, state.redact)
  state.named = state.exchange
}

/** Returns the exchange that was named as what is judged now; null: none was. */
export function namedExchange(): Exchange | null {
  return running.value?.named ?? null
}

/** Says that the case put a fault in force, or took it back. Nothing outside a check. @param effect null: it is taken back. */
export function noteFault(of: string, effect: string | null): void {
  if (effect === null) running.value?.faults.delete(of)
  else running.value?.faults.set(of, effect)
}

/** Says what the case did before its next request, such as a reorganisation. Nothing outside a check. */
export function noteDone(what: string): void {
  if (running.value !== undefined) running.value.done = [...running.value.done, what]
}

/** Returns what stands next to the request that is sent now: the faults in force, and what the case did since the one before. */
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

/** Says that the environment is as at the start: no fault is in force. */
export function forgetConditions(): void {
  running.value?.faults.clear()
  if (running.value !== undefined) running.value.done = []
}

/**
 * Puts verdicts on the record of the check that is running; outside of one, nothing happens.
 *
 * @param refusedTwin set for the verdicts of a refusal: what passes counts only once this twin was served.
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

/** Says that a request was served: the refusals of its wrong twins count, those before it and those after it. */
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

/** Returns whether a convention is kept; empty: it is not judged, or broken only because something else is. */
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

/** Puts on the record of the check that is running what was judged apart from it. */
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
