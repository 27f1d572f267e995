/** Before or after the end of a build's window. */
type Time = 'in' | 'after'
/** The place of a transaction. A depth of 12 is left out, because services may count it differently by one. */
type Place = 'unsent' | 'pool' | '1' | '11' | '13' | 'gone'

/** The state of the chain: the place of the transaction, when it was mined and sent, and the current time. */
interface Stand {
  readonly place: Place
  readonly mined: Time | null
  readonly sent: Time | null
  readonly now: Time
}

/** A state with history: whether the transaction was once 13 deep, mined in time or after it; null: never. */
interface Point extends Stand {
  readonly wasDeep: Time | null
}

/** The next event on the chain. `send`: sends the transaction, again if it was orphaned. `wait`: a block without it. */
export interface Move {
  readonly does: 'send' | 'mine' | 'wait' | 'orphan'
  /** Number of blocks mined. */
  readonly blocks: number
  /** True if the first of them comes after the end of the window. */
  readonly isLate: boolean
  readonly to: Stand
}

/** The fate of a transaction. `differs`: its data is not that of the build. */
export const FATES = ['matches', 'differs', 'reverts'] as const
export type Fate = (typeof FATES)[number]

/**
 * The sender and content of a report. `own`: the build's key. `stranger`: another key of the partner or, at every other stop,
 * of another partner. `silent`: its key, on a chain that does not respond. `crossed`: its key, with the `differs` transaction
 * of another build.
 */
export type Reporter = 'silent' | 'stranger' | 'crossed' | 'own'
/** The outcome of the own key's reports of a transaction. `credited`, `rejected`: it was 13 deep at the time. */
type Known = 'nothing' | 'early' | 'rejected' | 'credited'

/** A report at a stop. */
export interface PlannedReport {
  /** Index of the swap in the walk. */
  readonly swap: number
  readonly by: Reporter
}

/** Transactions sent together, the events on the chain, and the reports before the first event and after each. */
export interface Walk {
  /** The fate of each. The first matches and the second differs; both are reported from the first stop on. */
  readonly swaps: readonly Fate[]
  readonly moves: readonly Move[]
  /** One element more than `moves`. */
  readonly stops: readonly (readonly PlannedReport[])[]
  /** Transitions that no earlier walk covered. */
  readonly meets: readonly string[]
}

const START: Point = { place: 'unsent', mined: null, sent: null, now: 'in', wasDeep: null }
/** Longer walks are split, so that they can run in parallel. */
const MOVES_MAX = 24
const DEEPER = { pool: ['1', 1], '1': ['11', 10], '11': ['13', 2] } as const

const keyOf = ({ place, mined, sent, now }: Stand): string =>
  [place, mined && `mined ${mined}`, sent && `sent ${sent}`, `now ${now}`].filter(Boolean).join(', ')
const nameOf = ({ does, isLate }: Move): string => (isLate ? `${does} late` : does)

/** Returns the moves possible in a state. */
function movesFrom(stand: Stand): readonly Move[] {
  const { place, sent, now } = stand
  const moves: Move[] = []
  const add = (does: Move['does'], blocks: number, to: Partial<Stand>, isLate = false) =>
    moves.push({ does, blocks, isLate, to: { ...stand, ...(isLate && { now: 'after' }), ...to } })
  const canBeLate = now === 'in'
  if (place === 'unsent' || place === 'gone') add('send', 0, { place: 'pool', sent: now })
  else if (place !== '13') {
    const [deeper, blocks] = DEEPER[place]
    for (const isLate of canBeLate ? [false, true] : [false])
      add(
        'mine',
        blocks,
        { place: deeper, ...(place === 'pool' && { mined: isLate ? 'after' : now }) },
        isLate,
      )
  }
  if (stand.mined !== null) add('orphan', 0, { place: 'gone', mined: null, sent: null, now: sent ?? now })
  if (canBeLate && (place === 'unsent' || place === 'gone' || place === '13')) add('wait', 1, {}, true)
  return moves
}

/** Returns the point that a move leads to. */
function follow({ wasDeep, place, mined }: Point, { to }: Move): Point {
  const isDecided = wasDeep === 'in' || place !== '13'
  return { ...to, wasDeep: isDecided ? wasDeep : mined }
}
const arrowOf = (from: Point, move: Move): string =>
  `${keyOf(from)}${from.wasDeep === null ? '' : `, was deep ${from.wasDeep}`}: ${nameOf(move)}`

/** Returns the shortest path to a move that is not yet covered, including that move; null: none is left. */
function wayTo(from: Point, left: ReadonlySet<string>): readonly Move[] | null {
  const seen = new Set<string>()
  let ways: readonly { readonly at: Point; readonly moves: readonly Move[] }[] = [{ at: from, moves: [] }]
  while (ways.length > 0) {
    const further: { readonly at: Point; readonly moves: readonly Move[] }[] = []
    for (const { at, moves } of ways)
      for (const move of movesFrom(at)) {
        const arrow = arrowOf(at, move)
        if (left.has(arrow)) return [...moves, move]
        if (seen.has(arrow)) continue
        seen.add(arrow)
        further.push({ at: follow(at, move), moves: [...moves, move] })
      }
    ways = further
  }
  return null
}

/** Returns every reachable move, by name. */
function everyArrow(): Set<string> {
  const arrows = new Set<string>()
  const reach = (at: Point): void => {
    for (const move of movesFrom(at)) {
      if (arrows.has(arrowOf(at, move))) continue
      arrows.add(arrowOf(at, move))
      reach(follow(at, move))
    }
  }
  reach(START)
  return arrows
}

/** Returns the moves of each walk; together they cover every move. */
function chains(): readonly (readonly Move[])[] {
  const left = everyArrow()
  const all: Move[][] = []
  while (left.size > 0) {
    const walk: Move[] = []
    let at = START
    for (let way = wayTo(at, left); way !== null; way = wayTo(at, left)) {
      if (walk.length > 0 && walk.length + way.length > MOVES_MAX) break
      for (const move of way) {
        left.delete(arrowOf(at, move))
        walk.push(move)
        at = follow(at, move)
      }
    }
    all.push(walk)
  }
  return all
}

/**
 * Returns the reporters of a transaction. Other reporters do not depend on its fate, so they report a matching one where it is
 * deep or gone. Reports on a silent chain take time, so they are sent only where a service may remember what it read.
 */
function reportersOf(fate: Fate, known: Known, { place }: Stand): readonly Reporter[] {
  if (fate !== 'matches' || !['13', 'gone'].includes(place)) return ['own']
  const isRead = place === 'gone' ? known !== 'nothing' : known === 'credited'
  return [...(isRead ? (['silent'] as const) : []), 'stranger', 'crossed', 'own']
}

/** Names a state of §4.3: a transaction, the outcome of its own key's reports, and the state of the chain. */
const stateOf = (fate: Fate, known: Known, stand: Stand): string =>
  `${fate}, reported ${known}, ${keyOf(stand)}`

/** Returns the outcome known after a report. A credited transaction stays credited. */
function after(fate: Fate, known: Known, by: Reporter, { place, mined }: Stand): Known {
  if (by !== 'own' || known === 'credited') return known
  if (place === '13') return fate === 'matches' && mined === 'in' ? 'credited' : 'rejected'
  return known === 'nothing' ? 'early' : known
}

/** Returns every transition by name: each move and each report from each reachable state. */
export function everyTransition(): ReadonlySet<string> {
  const transitions = new Set<string>()
  const reach = (fate: Fate, known: Known, stand: Stand): void => {
    const go = (name: string, next: Known, to: Stand): void => {
      const transition = `${stateOf(fate, known, stand)}: ${name}`
      if (transitions.has(transition)) return
      transitions.add(transition)
      reach(fate, next, to)
    }
    for (const move of movesFrom(stand)) go(nameOf(move), known, move.to)
    for (const by of reportersOf(fate, known, stand))
      go(`report by ${by}`, after(fate, known, by, stand), stand)
  }
  for (const fate of FATES) reach(fate, 'nothing', START)
  return transitions
}

/**
 * Returns walks that cover every transition. In each, one transaction of every fate is reported from the first stop on,
 * wherever that is new or final. Others are first reported at a later stop, if that covers anything new. Reports are few,
 * because services have budgets for them.
 */
export function planWalks(): readonly Walk[] {
  const met = new Set<string>()
  const walks = chains().map((moves) => planWalk(moves, met))
  return walks.filter(({ meets }) => meets.length > 0)
}

/** @param met transitions of earlier walks; those of this walk are added. */
function planWalk(moves: readonly Move[], met: Set<string>): Walk {
  const stands = [START, ...moves.map(({ to }) => to)]
  const last = stands.length - 1
  const swaps: Fate[] = []
  const stops: PlannedReport[][] = stands.map(() => [])
  const meets: string[] = []
  const add = (
    fate: Fate,
    reportsAt: (stop: number) => 'always' | 'if-new' | 'never',
    isNeeded: boolean,
  ): void => {
    const { reports, meeting } = plan(fate, stands, moves, reportsAt, met)
    if (!isNeeded && meeting.length === 0) return
    const swap = swaps.push(fate) - 1
    for (const { stop, by } of reports) stops[stop]?.push({ swap, by })
    for (const transition of meeting) met.add(transition)
    meets.push(...meeting)
  }
  for (const fate of FATES) {
    // The first report of a walk is the twin of its refusals.
    const isNeeded = (stop: number) => (fate === 'matches' && stop === 0) || stands[stop]?.place === '13'
    add(fate, (stop) => (isNeeded(stop) ? 'always' : 'if-new'), true)
  }
  for (const fate of FATES)
    for (const first of stands.keys())
      add(fate, (stop) => (stop === first ? 'always' : stop === last ? 'if-new' : 'never'), false)
  return { swaps, moves, stops, meets }
}

/** Plans the reports of one transaction: by its own key at some stops, and by other reporters where that is new. */
function plan(
  fate: Fate,
  stands: readonly Stand[],
  moves: readonly Move[],
  reportsAt: (stop: number) => 'always' | 'if-new' | 'never',
  met: ReadonlySet<string>,
) {
  const reports: { readonly stop: number; readonly by: Reporter }[] = []
  const meeting = new Set<string>()
  let known: Known = 'nothing'
  const meet = (transition: string): boolean => {
    const isNew = !met.has(transition) && !meeting.has(transition)
    if (isNew) meeting.add(transition)
    return isNew
  }
  for (const [stop, stand] of stands.entries()) {
    const report = (by: Reporter, isPlanned: boolean): void => {
      const isNew = meet(`${stateOf(fate, known, stand)}: report by ${by}`)
      if (!isNew && !isPlanned) return
      reports.push({ stop, by })
      known = after(fate, known, by, stand)
    }
    const byOthers = () => {
      for (const by of reportersOf(fate, known, stand)) if (by !== 'own') report(by, false)
    }
    byOthers()
    const reported = reportsAt(stop)
    if (reported !== 'never') {
      const before: Known = known
      report('own', reported === 'always')
      if (known !== before) {
        byOthers()
        report('own', false)
      }
    }
    const move = moves[stop]
    if (move !== undefined) meet(`${stateOf(fate, known, stand)}: ${nameOf(move)}`)
  }
  return { reports, meeting: [...meeting] }
}
