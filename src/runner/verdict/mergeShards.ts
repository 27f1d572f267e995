import { isDeepStrictEqual } from 'node:util'
import type { About } from '../../reporting/report/about.ts'
import {
  type CaseResult,
  casesOf,
  type ObservedPoint,
  type Results,
  type ShardOfRun,
} from '../../reporting/results.ts'
import type { Verdicts } from '../../reporting/verdicts.ts'
import { UsageError } from '../../spec/errors.ts'
import { cut } from '../../spec/issue.ts'
import type { Capability } from '../../spec/requirements/index.ts'
import { describeShard } from '../plan/shard.ts'
import { collectPoints } from './openPoints.ts'
import { resultOf, verdictsOf } from './result.ts'

/** Results of one shard, and their path. */
export interface FinishedShard {
  readonly path: string
  readonly results: Results
  readonly about: About
}

/** The run that consists of all the shards. */
export interface MergedRun {
  readonly result: Results
  readonly verdicts: Verdicts
  /** Facts about the run, which took as long as its longest shard. */
  readonly run: Pick<About, 'replay' | 'baseUrl' | 'durationMs'>
}

/** Values that must be equal in all shards of a run, by the name that a user knows. */
const COMMON: Readonly<Record<string, (each: Part) => string | number | readonly string[]>> = {
  command: ({ results }) => results.command,
  'number of shards': ({ shard }) => shard.of,
  seed: ({ results }) => results.seed,
  profile: ({ results }) => results.profile,
  'kind of target': ({ shard }) => shard.targetKind,
  // Services that are already running have another address for each shard.
  target: ({ results, shard }) => (shard.targetKind === 'url' ? 'url' : results.target),
  capabilities: ({ results }) => results.capabilities,
  versions: ({ about }) => about.versions.map(({ name, value }) => `${name} ${value}`),
  flags: ({ shard }) => shard.flags,
  cases: ({ shard }) => shard.plan.flatMap(({ name, cases }) => [name, ...cases]),
  baseline: ({ shard }) =>
    (shard.baseline?.known.entries ?? []).map((entry) => Object.values(entry).join(' ')),
}

interface Part extends FinishedShard {
  readonly shard: ShardOfRun
}

/**
 * Merges shards into a run that equals one run of all their cases, except for values that differ from run to run.
 *
 * @throws {UsageError} one is not a shard, is missing, is given twice, or belongs to another run.
 */
export function mergeShards(given: readonly FinishedShard[]): MergedRun {
  const parts = given.map(partOf).sort((one, other) => one.shard.index - other.shard.index)
  const [first] = parts
  if (first === undefined) throw new UsageError('no shard is given', 'Name the directory of each shard.')
  for (const other of parts.slice(1)) checkOneRun(first, other)
  checkEachOnce(first.shard, parts)
  const { results, shard } = first
  const rows = new Map(parts.flatMap((part) => casesOf(part.results)).map((row) => [row.id, row]))
  const baseline = shard.baseline?.known ?? null
  const result = resultOf({
    command: results.command,
    target: results.target,
    seed: results.seed,
    profile: results.profile,
    capabilities: new Set(results.capabilities as Capability[]),
    suites: shard.plan.map(({ name, cases }) => ({ name, cases: cases.map((id) => rowOf(id, rows)) })),
    openPoints: pointsOf(parts, shard),
    whole: shard.whole,
    requests: requestsOf(parts),
    baseline: baseline === null ? null : { known: baseline, today: lastDayOf(parts) },
  })
  return { result, verdicts: verdictsOf(result), run: circumstancesOf(parts, shard) }
}

/** Returns the observations of the shards at the open points: each answer from the first case of the whole run that shows it. */
function pointsOf(parts: readonly Part[], { plan }: ShardOfRun): readonly ObservedPoint[] {
  const places = new Map(plan.flatMap(({ cases }) => cases).map((id, place) => [id, place]))
  const found = parts
    .flatMap(({ results }) => results.openPoints ?? [])
    .flatMap(({ point, answers }) => answers.map((one) => ({ point, place: places.get(one.case) ?? 0, one })))
    .sort((left, right) => left.place - right.place)
  return collectPoints(found.map(({ point, one }) => ({ point, answers: [one] })))
}

/** Returns the requests of all shards together; undefined if one did not count them. */
function requestsOf(parts: readonly Part[]): Results['requests'] {
  const counted = parts.flatMap(({ results }) => results.requests ?? [])
  if (counted.length < parts.length) return undefined
  const sum = (name: 'sent' | 'unanswered') => counted.reduce((sum, each) => sum + each[name], 0)
  return { sent: sum('sent'), unanswered: sum('unanswered') }
}

function partOf(given: FinishedShard): Part {
  const { shard } = given.results
  if (shard !== undefined) return { ...given, shard }
  throw new UsageError(`${given.path} holds a whole run, not a shard`, 'Only runs with --shard are merged.')
}

function checkOneRun(one: Part, other: Part): void {
  for (const [what, of] of Object.entries(COMMON)) {
    if (isDeepStrictEqual(of(one), of(other))) continue
    throw new UsageError(
      `${one.path} and ${other.path} are shards of different runs; ${what}: ${different(of(one), of(other))}`,
      'Run every shard with the same command line apart from --shard and --out, on the same programs.',
    )
  }
}

/** Describes two values that differ; for lists, the elements that only one of them has. */
function different<Value extends string | number | readonly string[]>(one: Value, other: Value): string {
  return `${shown(one, other)} and ${shown(other, one)}`
}

function shown(value: string | number | readonly string[], other: typeof value): string {
  if (!Array.isArray(value) || !Array.isArray(other)) return String(value)
  const own = value.filter((each) => !other.includes(each))
  return own.length === 0 ? 'none' : cut(own.join(', '))
}

function checkEachOnce({ of, replay }: ShardOfRun, parts: readonly Part[]): void {
  const indexes = Array.from({ length: of }, (_, position) => position + 1)
  for (const index of indexes) {
    const [one, other] = parts.filter(({ shard }) => shard.index === index)
    if (other === undefined || one === undefined) continue
    throw new UsageError(
      `${one.path} and ${other.path} are both shard ${describeShard(one.shard)}`,
      'Name the directory of each shard once, and write each into a directory of its own.',
    )
  }
  const missing = indexes.filter((index) => !parts.some(({ shard }) => shard.index === index))
  const [next] = missing
  if (next === undefined) return
  throw new UsageError(
    `${missing.length} of ${of} shards are missing: ${missing.map((index) => describeShard({ index, of })).join(', ')}`,
    `Run ${missing.length === 1 ? 'it' : 'them'} and merge all ${of}: ${replay} --shard ${describeShard({ index: next, of })} --out DIR`,
  )
}

function rowOf(id: string, rows: ReadonlyMap<string, CaseResult>): CaseResult {
  const row = rows.get(id)
  if (row !== undefined) return row
  throw new UsageError(`no shard holds the case ${id}`, 'Run the shards again, each to its end.')
}

/** Returns the last day of the shards, which may run around midnight. */
function lastDayOf(parts: readonly Part[]): string {
  const days = parts.map(({ shard }) => shard.baseline?.today ?? '')
  return days.sort().at(-1) ?? ''
}

function circumstancesOf(parts: readonly Part[], { replay }: ShardOfRun): MergedRun['run'] {
  const urls = new Set(parts.map(({ about }) => about.baseUrl))
  return {
    replay,
    baseUrl: urls.size === 1 ? (parts[0]?.about.baseUrl ?? null) : null,
    durationMs: Math.max(...parts.map(({ about }) => about.durationMs ?? 0)),
  }
}
