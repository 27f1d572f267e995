import { LIMITS } from '../../../src/spec/limits.ts'
import { answeredBuilds, type SwapEntry } from '../clients/journal.ts'
import type { Finding } from '../figures.ts'
import type { Row } from '../setup/databases.ts'
import type { ChainFacts, Evidence } from './evidence.ts'
import { countTotals } from './totals.ts'

/** What was compared. */
export interface Counted {
  readonly findings: readonly Finding[]
  readonly buildsAnswered: number
  /** Rows of builds whose answer never arrived: kept and harmless. */
  readonly buildsUnanswered: number
  readonly swaps: number
  readonly recorded: number
}

/**
 * Compares what the clients were answered with what the database holds, what the chain says, and what the partner report
 * shows: nothing answered is lost, nothing is there twice, each attribution is one build with one transaction, and all totals
 * are equal.
 */
export function countIndependently(evidence: Evidence): Counted {
  const { journal, builds, attributions } = evidence
  const findings: Finding[] = journal.unexpected.map((details) => ({ what: 'an unexpected answer', details }))
  const find = (what: string, details: string) => findings.push({ what, details })
  const buildRows = new Map(builds.map((row) => [row.build_id ?? '', row]))

  const answered = answeredBuilds(journal)
  for (const entry of answered) compareBuild(entry, buildRows.get(entry.build.buildId), find)
  const answeredIds = answered.map(({ build }) => build.buildId)
  findDoubles(answeredIds, 'two answers name one build', find)
  const unanswered = countUnanswered(evidence, new Set(answeredIds), find)

  const credited = attributions.map((row) => row.build_id ?? '')
  const txHashes = attributions.map((row) => row.tx_hash ?? '')
  compareReports(evidence, new Map(attributions.map((row) => [row.build_id ?? '', row])), find)
  const swapOf = new Map(journal.swaps.map((swap) => [swap.txHash, swap]))
  for (const row of attributions) compareAttribution(row, evidence, swapOf, buildRows, find)
  findDoubles(credited, 'a build is credited twice', find)
  findDoubles(txHashes, 'a transaction is credited twice', find)
  compareSwaps(evidence, new Set(txHashes), find)
  countTotals(evidence, buildRows, find)
  return {
    findings,
    buildsAnswered: answered.length,
    buildsUnanswered: unanswered,
    swaps: journal.swaps.length,
    recorded: attributions.length,
  }
}

export type Find = (what: string, details: string) => void

function findDoubles(values: readonly string[], what: string, find: Find): void {
  const seen = new Set<string>()
  for (const value of values) {
    if (seen.has(value)) find(what, value)
    seen.add(value)
  }
}

/** An answered build is in the database as it was answered. */
function compareBuild(
  { build, keyId, sender }: ReturnType<typeof answeredBuilds>[number],
  row: Row | undefined,
  find: Find,
): void {
  if (row === undefined) {
    find('an answered build is lost', build.buildId)
    return
  }
  const expected: Row = {
    key_id: keyId,
    chain_id: String(LIMITS.chainId),
    sender: sender.toLowerCase(),
    target: build.to.toLowerCase(),
    calldata: build.data.toLowerCase(),
    value_raw: build.value,
    valid_until_ms: String(build.validUntilMs),
  }
  for (const [column, value] of Object.entries(expected))
    if (row[column] !== value)
      find('a build differs from its answer', `${build.buildId}: ${column} is ${row[column]}, not ${value}`)
}

/** A row without an answer needs a request without an answer. */
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

/** Every report that was answered 200 is there; at most one of them was the first. */
function compareReports({ journal }: Evidence, byBuild: ReadonlyMap<string, Row>, find: Find): void {
  const firsts: string[] = []
  for (const { buildId, txHash, keyId, genuine, status, alreadyRecorded } of journal.reports) {
    if (status !== 200) continue
    if (!genuine) find('a false claim was recorded', `${txHash} for build ${buildId}`)
    const row = byBuild.get(buildId)
    if (row === undefined) find('an answered attribution is lost', `build ${buildId}, ${txHash}`)
    else if (row.tx_hash !== txHash.toLowerCase() || row.key_id !== keyId)
      find('an attribution differs from its answer', `build ${buildId}: ${row.tx_hash} by ${row.key_id}`)
    if (alreadyRecorded === false) firsts.push(buildId)
  }
  findDoubles(firsts, 'two answers say that they recorded a build first', find)
  const wasFirst = new Set(firsts)
  const mayBeFirst = new Set(
    journal.reports
      .filter(({ status, genuine }) => genuine && (status === null || status >= 500))
      .map(({ buildId }) => buildId),
  )
  for (const buildId of byBuild.keys())
    if (!wasFirst.has(buildId) && !mayBeFirst.has(buildId))
      find('an attribution that no report recorded', `build ${buildId}`)
}

/** An attribution is what a client reported, is on the chain as the build says, and was executed in its window. */
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

function agrees(row: Row, build: Row, facts: ChainFacts): boolean {
  const madeS = Math.floor(Number(build.created_at_ms) / 1_000)
  return (
    facts.succeeded &&
    facts.from === build.sender &&
    facts.to === build.target &&
    facts.data === build.calldata &&
    facts.value === build.value_raw &&
    String(facts.blockNumber) === row.block_number &&
    facts.blockHash === row.block_hash &&
    String(facts.blockTimestampS) === row.block_timestamp_s &&
    facts.blockTimestampS >= madeS &&
    facts.blockTimestampS * 1_000 <= Number(build.valid_until_ms)
  )
}

/** Every swap that the chain carried out and a client reported to the end is credited; no other is. */
function compareSwaps({ journal, chain }: Evidence, credited: ReadonlySet<string>, find: Find): void {
  for (const { txHash, buildIds } of journal.swaps) {
    const succeeded = chain.get(txHash)?.succeeded ?? false
    if (succeeded && !credited.has(txHash))
      find('a swap that is not credited', `${txHash} of build ${buildIds.join(' or ')}`)
    if (!succeeded && credited.has(txHash)) find('a swap that failed is credited', txHash)
  }
}
