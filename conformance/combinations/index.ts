import type { Case, CaseEvidence } from '../../src/runner/cases/case.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'
import { FEE_TRANSFER_VENUES } from '../../src/spec/venues.ts'
import { runRows } from './group.ts'
import { FACTORS, meetingsOf, NAMES, type Row, venuesOf } from './model.ts'
import table from './rows.json' with { type: 'json' }
import { runToSmallest } from './smallest.ts'

/** Every row, in the order of the file. */
export const ROWS: readonly Row[] = table.map(
  (classes) => Object.fromEntries(NAMES.map((name, index) => [name, classes[index]])) as Row,
)

/** Approximate duration of a row, in seconds. */
const ROW_S = 0.05

/** Requirements that every row exercises, however its venue is chosen. */
const EXERCISED = [
  ...(['quote.response.shape', 'build.response.route', 'build.returns-transaction'] as const),
  ...([
    'route.amount-in',
    'route.amount-out',
    'route.slippage-echo',
    'route.minimum-received.floor',
  ] as const),
  ...(['route.mid-rate', 'route.price-impact.magnitude', 'route.quote-id.distinct', 'hops.path'] as const),
  ...(['fees.partner.echo', 'fees.recipient.echo', 'fees.total.baked-in', 'fees.only-partner'] as const),
  ...(['alternatives.amount-out', 'alternatives.gas-cost', 'quote.ranking.after-gas'] as const),
  ...(['tx.data', 'tx.value.erc20-zero', 'tx.value.native', 'tx.allowance-target.spender'] as const),
  ...(['build.requotes.live', 'build.minimum.encoded', 'build.minimum.guarantee'] as const),
  ...(['build.upstream-failure', 'build.no-executable-route.body', 'attribution.build-id'] as const),
  ...([
    'confirm.depth.twelve',
    'confirm.recorded',
    'confirm.repeat.safe',
    'confirm.build-not-found',
  ] as const),
] satisfies readonly RequirementId[]

/** Returns the requirements that a group exercises: only two venues have a fee transfer, and only unforced builds fall through. */
function requirementsOf(engine: Row['engine']): readonly RequirementId[] {
  const { forced } = venuesOf(engine)
  const hasTransfer = forced === null || FEE_TRANSFER_VENUES.has(forced)
  const hasInside = forced === null || !FEE_TRANSFER_VENUES.has(forced)
  return [
    ...EXERCISED,
    ...(forced === null
      ? (['build.falls-through', 'alternatives.complete'] as const)
      : (['build.prefer-engine.forces', 'build.prefer-engine.live-quote'] as const)),
    ...(hasTransfer ? (['build.fee-transfer.venues', 'build.fee-transfer.sum'] as const) : []),
    ...(hasInside ? (['build.fee-inside-tx'] as const) : []),
  ]
}

/** Describes the choice of these rows' venue. */
function titleOf(engine: Row['engine']): string {
  const { forced, best } = venuesOf(engine)
  if (forced !== null) return `${forced} is forced`
  return best === null ? 'no venue is forced' : `${best} is the best`
}

const KINDS = ['pairs', 'triples'] as const

/** By kind, each combination of classes with the engine of the first row that has it; null: not counted yet. */
let firstMet: Readonly<Record<(typeof KINDS)[number], ReadonlyMap<string, Row['engine']>>> | null = null

/** Returns the number of pairs and triples of classes that rows of this engine are the first to have, and the total number. */
function meetsOf(engine: Row['engine']): NonNullable<CaseEvidence['meets']> {
  firstMet ??= findFirstMet()
  const first = firstMet
  return KINDS.map((kind) => {
    const count = [...first[kind].values()].filter((each) => each === engine).length
    return { what: `${kind} of classes of a swap`, count, of: first[kind].size }
  })
}

function findFirstMet() {
  const first = { pairs: new Map<string, Row['engine']>(), triples: new Map<string, Row['engine']>() }
  for (const row of ROWS) {
    const met = meetingsOf(row)
    for (const kind of KINDS)
      for (const meeting of met[kind]) if (!first[kind].has(meeting)) first[kind].set(meeting, row.engine)
  }
  return first
}

export const combinationCases: readonly Case<'control' | 'line'>[] = FACTORS.engine.map((engine) => {
  const rows = ROWS.filter((row) => row.engine === engine)
  return {
    id: `combinations.${engine}`,
    title: `whatever meets in a swap and around it, each response is right in every field: ${titleOf(engine)}`,
    requirements: requirementsOf(engine),
    uses: ['control', 'line'],
    busyS: ROW_S * rows.length,
    waitsS: 3,
    run: async (environment) => {
      let isFirst = true
      await runToSmallest(rows, async (some, onRow) => {
        if (!isFirst) await environment.line.restore()
        const entered = isFirst || environment.fresh === null ? environment : await environment.fresh()
        isFirst = false
        await runRows(entered, some, onRow)
      })
      return { exercised: rows.length, notes: [`${rows.length} combinations`], meets: meetsOf(engine) }
    },
  }
})
