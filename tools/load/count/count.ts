import { LIMITS } from '../../../src/spec/limits.ts'
import { answeredBuilds, type Journal, type SwapEntry } from '../clients/journal.ts'
import type { Find } from '../figures.ts'
import type { Row } from '../setup/databases.ts'
import type { ChainFacts, Evidence } from './evidence.ts'
import { countTotals } from './totals.ts'

/** Numbers of compared items. */
export interface Counted {
  readonly buildsAnswered: number
  /** Rows of builds whose response never arrived, which are harmless. */
  readonly buildsUnanswered: number
  readonly swaps: number
  readonly recorded: number
}

/**
 * Compares the responses to the clients with the database, the chain and the partner report: no promise is lost or duplicated,
 * each attribution is one build with one transaction, and all totals are equal.
 */
export function countIndependently(evidence: Evidence, find: Find): Counted {
  const { journal, builds, attributions } = evidence
  find('an unexpected answer', ...journal.unexpected)
  const buildRows = new Map(builds.map((row) => [row.build_id ?? '', row]))

  const answered = answeredBuilds(journal)
  for (const entry of answered) compareBuild(entry, buildRows.get(entry.build.buildId), find)
  const answeredIds = answered.map(({ build }) => build.buildId)
  find('two answers name one build', ...doubles(answeredIds))
  const buildsUnanswered = countUnanswered(evidence, new Set(answeredIds), find)

  const byBuild = new Map(attributions.map((row) => [row.build_id ?? '', row]))
  compareReports(journal, byBuild, find)
  const swapOf = new Map(journal.swaps.map((swap) => [swap.txHash, swap]))
  for (const row of attributions) compareAttribution(row, evidence, swapOf, buildRows, find)
  const credited = attributions.map((row) => row.tx_hash ?? '')
  find('a build is credited twice', ...doubles(attributions.map((row) => row.build_id ?? '')))
  find('a transaction is credited twice', ...doubles(credited))
  compareSwaps(evidence, new Set(credited), find)
  countTotals(evidence, buildRows, find)
  const [buildsAnswered, swaps, recorded] = [answered.length, journal.swaps.length, attributions.length]
  return { buildsAnswered, buildsUnanswered, swaps, recorded }
}

/** Returns the values that occur more than once. */
function doubles(values: readonly string[]): readonly string[] {
  const seen = new Set<string>()
  return values.filter((value) => seen.size === seen.add(value).size)
}

/** Checks that a returned build is in the database unchanged. */
function compareBuild(
  { build, keyId, sender }: ReturnType<typeof answeredBuilds>[number],
  row: Row | undefined,
  find: Find,
): void {
  const expected: Row = {
    key_id: keyId,
    chain_id: String(LIMITS.chainId),
    sender: sender.toLowerCase(),
    target: build.to.toLowerCase(),
    calldata: build.data.toLowerCase(),
    value_raw: build.value,
    valid_until_ms: String(build.validUntilMs),
  }
  if (row === undefined) find('an answered build is lost', build.buildId)
  else
    for (const each of differences(expected, row))
      find('a build differs from its answer', `${build.buildId}: ${each}`)
}

/** Checks that each row without a response belongs to a request without one. */
function countUnanswered({ journal, builds }: Evidence, known: ReadonlySet<string>, find: Find): number {
  const extra = builds.filter((row) => !known.has(row.build_id ?? ''))
  for (const keyId of new Set(builds.map((row) => row.key_id))) {
    const rows = extra.filter((row) => row.key_id === keyId).length
    const lost = journal.builds.filter((each) => each.keyId === keyId && each.build === 'unanswered').length
    if (rows > lost)
      find('builds that nobody requested', `${keyId}: ${rows} rows, ${lost} requests without an answer`)
  }
  return extra.length
}

/** Checks that every report with a 200 is stored, and that at most one of each build was the first. */
function compareReports({ reports }: Journal, byBuild: ReadonlyMap<string, Row>, find: Find): void {
  const firsts: string[] = []
  for (const { buildId, txHash, keyId, genuine, status, alreadyRecorded } of reports) {
    if (status !== 200) continue
    if (!genuine) find('a false claim was recorded', `${txHash} for build ${buildId}`)
    const row = byBuild.get(buildId)
    if (row === undefined) find('an answered attribution is lost', `build ${buildId}, ${txHash}`)
    else if (row.tx_hash !== txHash.toLowerCase() || row.key_id !== keyId)
      find('an attribution differs from its answer', `build ${buildId}: ${row.tx_hash} by ${row.key_id}`)
    if (alreadyRecorded === false) firsts.push(buildId)
  }
  find('two answers say that they recorded a build first', ...doubles(firsts))
  const mayBeFirst = reports.filter(({ status, genuine }) => genuine && (status === null || status >= 500))
  const recording = new Set([...firsts, ...mayBeFirst.map(({ buildId }) => buildId)])
  for (const buildId of byBuild.keys())
    if (!recording.has(buildId)) find('an attribution that no report recorded', `build ${buildId}`)
}

/** Checks that a client reported the attribution, and that its transaction matches the build and was executed in its window. */
function compareAttribution(
  row: Row,
  { chain }: Evidence,
  swapOf: ReadonlyMap<string, SwapEntry>,
  builds: ReadonlyMap<string, Row>,
  find: Find,
): void {
  const { tx_hash: txHash, build_id: buildId, key_id: keyId } = row
  const swap = swapOf.get(txHash ?? '')
  if (swap === undefined || !swap.buildIds.includes(buildId ?? '') || swap.keyId !== keyId)
    find('an attribution that no client reported', `build ${buildId}, ${txHash}, ${keyId}`)
  const [build, facts] = [builds.get(buildId ?? ''), chain.get(txHash ?? '')]
  if (build === undefined || build.key_id !== keyId)
    find('an attribution without its build', `build ${buildId} of ${keyId}`)
  else if (facts === undefined || !agrees(row, build, facts))
    find('an attribution that the chain does not show', `build ${buildId}, ${txHash}`)
}

function agrees(row: Row, build: Row, { succeeded, ...facts }: ChainFacts): boolean {
  const [executedS, madeMs] = [Number(facts.attribution.block_timestamp_s), Number(build.created_at_ms)]
  const isInWindow =
    executedS >= Math.floor(madeMs / 1_000) && executedS * 1_000 <= Number(build.valid_until_ms)
  return (
    succeeded &&
    isInWindow &&
    differences(facts.build, build).length === 0 &&
    differences(facts.attribution, row).length === 0
  )
}

/** Returns the columns of a row that differ from the expected values, as text. */
function differences(expected: Row, row: Row): readonly string[] {
  return Object.entries(expected)
    .filter(([column, value]) => row[column] !== value)
    .map(([column, value]) => `${column} is ${row[column]}, not ${value}`)
}

/** Checks that exactly the swaps that succeeded on the chain are credited. */
function compareSwaps({ journal, chain }: Evidence, credited: ReadonlySet<string>, find: Find): void {
  for (const { txHash, buildIds } of journal.swaps) {
    const succeeded = chain.get(txHash)?.succeeded ?? false
    if (succeeded && !credited.has(txHash))
      find('a swap that is not credited', `${txHash} of build ${buildIds.join(' or ')}`)
    if (!succeeded && credited.has(txHash)) find('a swap that failed is credited', txHash)
  }
}
