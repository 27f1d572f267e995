import { ACCOUNTS } from '../../src/fixtures/accounts.ts'
import { type BuildObservation, factsOf, parametersOf, type SwapParameters } from '../../src/oracles/index.ts'
import type { JudgingContext } from '../../src/runner/observe.ts'
import type { Manifest } from '../../src/spec/manifest.ts'
import { VENUE_IDS, type VenueId } from '../../src/spec/venues.ts'
import type { BuildResponse } from '../../src/spec/wire.ts'
import type { Query, SwapClient } from '../../src/targets/environment/client.ts'
import type { KeyName, With } from '../../src/targets/environment/environment.ts'
import { SHIFT_ONE } from '../../src/venues-mock/shift.ts'
import { assert, assumeServed, responseText } from '../support/expect.ts'
import { feedsOf } from '../support/feeds.ts'
import { carryOut, POOLS_UNKNOWN, sendBuild, sendQuote } from '../support/judged.ts'
import { Reports } from '../support/reports.ts'
import { movePrice, setFault } from '../support/venues.ts'
import { type Row, swapOfRow, TRADER, venuesOf } from './model.ts'

type Combining = With<'control' | 'line'>

/** A row with its requests, tokens and price feeds. */
interface Prepared {
  readonly row: Row
  readonly ask: SwapParameters
  readonly query: Query
  readonly body: Query
  readonly key: KeyName
  readonly client: SwapClient
  readonly known: Pick<JudgingContext, 'manifest' | 'feeds'>
  readonly reports: Reports
}

interface Built {
  readonly build: BuildResponse
  readonly observation: BuildObservation
}

/**
 * Runs each row through a whole lifecycle: quote, build, execution and report, with the events of its classes. All rows are
 * quoted before the first build, because swaps move the pools. They are reported together once the last swap is deep, and
 * quoted again where a row requires it, after every memo has expired.
 *
 * @param onRow is called with each row as its turn comes.
 * @throws {PromiseBrokenError} at the first promise that is broken.
 */
export async function runRows(
  environment: Combining,
  rows: readonly Row[],
  onRow: (row: Row) => void,
): Promise<void> {
  const prepared = rows.map((row) => prepare(environment, row))
  await makeBest(environment, prepared)
  await quoteAll(environment, prepared, onRow)
  await failAll(environment, prepared, onRow)
  const ids: string[] = []
  const reportable: (readonly [one: Prepared, build: BuildResponse, hash: `0x${string}`])[] = []
  for (const one of prepared) {
    onRow(one.row)
    const { built, broken } = await buildAround(environment, one)
    const facts = factsOf(one.known.manifest, one.ask)
    const hash = built === null ? null : await carryOut(environment, TRADER, facts, built)
    if (broken !== null) await setFault(environment, broken, { kind: 'none' })
    if (built === null || hash === null) continue
    ids.push(built.build.route.quoteId)
    if (one.row.reported === 'no' || built.build.attribution === null) continue
    reportable.push([one, built.build, hash])
    if (one.row.reported === 'early') await one.reports.pending(built.build, hash, 'confirm.depth.twelve')
  }
  assert('route.quote-id.distinct', new Set(ids).size === ids.length, 'a quoteId for each of the builds', ids)
  await environment.control.mine(12)
  for (const [{ row, key, reports }, build, hash] of reportable) {
    onRow(row)
    if (row.reported === 'by-another')
      await reports.send(build, hash, { by: strangerTo(key), clauses: ['confirm.build-not-found'] })
    await reports.recorded(build, hash, 'confirm.recorded')
    if (row.reported === 'deep') await reports.recorded(build, hash, 'confirm.repeat.safe')
  }
  await quoteLater(environment, prepared, onRow)
}

/** A price shift far larger than any difference in gas. */
const FAR = SHIFT_ONE / 20n

/** Moves prices so that the venue a row requires is the best, once for each pair of tokens. */
async function makeBest(environment: Combining, prepared: readonly Prepared[]): Promise<void> {
  const wanted = new Map(prepared.map((one) => [`${one.row.engine} ${one.ask.from} ${one.ask.to}`, one]))
  for (const { row, ask } of wanted.values()) {
    const { best } = venuesOf(row.engine)
    if (best !== null) await movePrice(environment, ask, { venue: best, direction: 'for', shift: FAR })
  }
}

/** Returns another partner's key. */
const strangerTo = (key: KeyName): KeyName => (key === 'one' ? 'two' : 'one')

/** Returns the requests of a row, under the first key if the target lacks the row's key. */
function prepare(environment: Combining, row: Row): Prepared {
  const { swap, renamed } = swapOfRow(row)
  const ask = renamed === null ? swap : { ...swap, [renamed.side]: renamed.symbol }
  const manifest =
    renamed === null
      ? environment.manifest
      : withSymbol(environment.manifest, swap[renamed.side], renamed.symbol)
  const { preferEngine, ...parameters } = parametersOf(manifest, ask)
  const query: Query = { ...parameters, ...(preferEngine && { [row.named]: preferEngine }) }
  const { address } = ACCOUNTS[TRADER]
  const sender = row.sender === 'lower-case' ? address.toLowerCase() : address
  const key = environment.keys.has(row.key) ? row.key : 'one'
  return {
    ...{ row, ask, key },
    query: row.sender === 'absent' ? query : { ...query, sender },
    body: { ...query, sender },
    client: environment.client(key),
    known: { manifest, feeds: feedsOf(swap) },
    reports: new Reports(environment),
  }
}

/** Returns a manifest in which a token outside the registry has another symbol. */
function withSymbol(manifest: Manifest, from: string, to: string): Manifest {
  const otherTokens = manifest.otherTokens.map((token) =>
    token.symbol === from ? { ...token, symbol: to } : token,
  )
  return { ...manifest, otherTokens }
}

const ROUTED = { mustBe: 'routed', clauses: ['quote.response.shape'] } as const

/** Sends the quotes of each row; no pool moves meanwhile. */
async function quoteAll(
  environment: Combining,
  prepared: readonly Prepared[],
  onRow: (row: Row) => void,
): Promise<void> {
  for (const { row, query, client, known } of prepared) {
    onRow(row)
    const { best } = venuesOf(row.engine)
    const send = async () => {
      const { route } = await sendQuote(environment, query, ROUTED, { client, known })
      assumeServed(best === null || route?.engine === best, `${best} is not the best, but ${route?.engine}`)
    }
    if (row.quoted === 'twice-at-once') await Promise.all([send(), send()])
    else await send()
    if (row.quoted === 'again') await send()
  }
}

/** Repeats the quotes of rows that are `later`, once every memo has expired. */
async function quoteLater(
  environment: Combining,
  prepared: readonly Prepared[],
  onRow: (row: Row) => void,
): Promise<void> {
  const later = prepared.filter(({ row }) => row.quoted === 'later')
  environment.outlastMemo()
  for (const { row, query, client, known } of later) {
    onRow(row)
    await sendQuote(environment, query, ROUTED, { client, known })
  }
}

/** Builds the rows that require it concurrently while the chain is unreachable; they are built again afterwards. */
async function failAll(
  environment: Combining,
  prepared: readonly Prepared[],
  onRow: (row: Row) => void,
): Promise<void> {
  const failing = prepared.filter(({ row }) => row.around === 'chain-fails')
  const [first] = failing
  if (first === undefined) return
  onRow(first.row)
  const failed = { mustBe: 'failed', clauses: ['build.upstream-failure'] } as const
  await environment.line.inject('down')
  await Promise.all(
    failing.map(({ body, client }) => sendBuild(environment, body, failed, { client, known: POOLS_UNKNOWN })),
  )
  await environment.line.restore()
}

interface Outcome {
  /** The build to execute; null: no venue is left. */
  readonly built: Built | null
  /** The venue that fails from now on; null: none. */
  readonly broken: VenueId | null
}

/** Builds the swap of a row with the event that the row names. */
async function buildAround(environment: Combining, one: Prepared): Promise<Outcome> {
  const { row } = one
  if (row.around === 'twice-at-once') {
    // The specification does not say if two concurrent builds may be one.
    const [built] = await Promise.all([build(environment, one), build(environment, one)])
    return { built, broken: null }
  }
  const built = await build(environment, one)
  return row.around === 'venue-fails' ? fallThrough(environment, one, built) : { built, broken: null }
}

/** Builds the swap of a row, which must be served, and registers it for reporting. */
async function build(environment: Combining, one: Prepared): Promise<Built> {
  const { body, key, client, known, reports } = one
  const createdAtMs = environment.clock.nowMs()
  const options = { client, known, key: 'individual' } as const
  const sent = await sendBuild(environment, body, { mustBe: 'served' }, options)
  assert('build.response.route', sent.build !== null, 'a complete build', responseText(sent.answer))
  reports.add(sent.build, `${body.sender}`, key, createdAtMs)
  return { build: sent.build, observation: sent.observation }
}

/** Makes the build's venue fail and builds again: on the next venue of the ranking, or on none if the venue was forced. */
async function fallThrough(environment: Combining, one: Prepared, before: Built): Promise<Outcome> {
  const { row, body, client, known } = one
  const { engine, route } = before.build
  const venue = VENUE_IDS.find((id) => id === engine)
  assumeServed(venue !== undefined, `a build for ${engine}`)
  const left = route.alternatives.map((each) => each.engine).filter((each) => each !== venue)
  const [next] = venuesOf(row.engine).forced === null ? left : []
  await setFault(environment, venue, { kind: 'revert-on-swap' })
  if (next !== undefined) {
    const other = await build(environment, one)
    const classes = [`revert-on-swap.${venue}`]
    assert('build.falls-through', other.build.engine === next, next, other.build.engine, classes)
    return { built: other, broken: venue }
  }
  const isForced = venuesOf(row.engine).forced !== null
  const clause = isForced ? 'build.prefer-engine.live-quote' : 'build.no-executable-route.no-venue'
  await sendBuild(environment, body, { mustBe: 'unbuildable', clauses: [clause] }, { client, known })
  return { built: null, broken: venue }
}
