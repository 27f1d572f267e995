import type { Find } from '../figures.ts'
import type { Row } from '../setup/databases.ts'
import type { Evidence } from './evidence.ts'

const MICROS_PER_USD = 10n ** 6n
const NATIVE_DECIMALS = 18n

/** Compares the totals of each key: rows, the chain's price, each process's report, and the spent budget. */
export function countTotals(evidence: Evidence, builds: ReadonlyMap<string, Row>, find: Find): void {
  for (const [buildId, row] of builds) {
    const expected = notionalOf(evidence, row)
    if (BigInt(row.notional_usd_micros ?? -1) !== expected)
      find('a build has another USD value', `${buildId}: ${row.notional_usd_micros}, not ${expected}`)
  }
  for (const { keyId, process, totals } of evidence.reports) {
    const credited = evidence.attributions.filter((row) => row.key_id === keyId)
    const values = credited.map((row) => builds.get(row.build_id ?? '')?.notional_usd_micros ?? null)
    const priced = values.flatMap((value) => (value === null ? [] : [BigInt(value)]))
    const micros = priced.reduce((sum, value) => sum + value, 0n)
    const confirmedAtMs = credited.map((row) => Number(row.confirmed_at_ms))
    const expected = {
      keyId,
      confirmedSwaps: credited.length,
      lastConfirmationAt: confirmedAtMs.length === 0 ? null : Math.max(...confirmedAtMs),
      estimatedInputUsd: Number(`${micros}e-6`),
      pricedSwaps: priced.length,
      unpricedSwaps: credited.length - priced.length,
    }
    for (const [name, value] of Object.entries(expected))
      if (totals[name] !== value)
        find(
          'a total of the report differs',
          `${process}, ${keyId}: ${name} is ${totals[name]}, not ${value}`,
        )
  }
  countBudgets(evidence, find)
}

/** Returns the value of the input at the chain's price, in millionths of a USD, rounded down. */
function notionalOf({ feeds }: Evidence, row: Row): bigint | null {
  const feed = feeds.get((row.token_in ?? '').toLowerCase())
  if (feed === undefined) return null
  const scale = 10n ** (NATIVE_DECIMALS + BigInt(feed.decimals))
  return (BigInt(row.amount_in_raw ?? 0) * feed.answer * MICROS_PER_USD) / scale
}

/** Checks that a partner has spent at least as many reports as were answered, and at most as many as were sent. */
function countBudgets({ journal, budgets, keys }: Evidence, find: Find): void {
  for (const partnerId of new Set(keys.map((key) => key.partnerId))) {
    const keyIds = new Set(keys.filter((key) => key.partnerId === partnerId).map((key) => key.keyId))
    const sent = journal.reports.filter(({ keyId }) => keyIds.has(keyId))
    const answered = sent.filter(({ status }) => status !== null && status < 500).length
    const spent = budgets
      .filter((row) => row.partner_id === partnerId)
      .reduce((sum, row) => sum + Number(row.spent), 0)
    if (spent < answered || spent > sent.length)
      find('a budget differs', `${partnerId}: ${spent} spent, ${answered} answered, ${sent.length} sent`)
  }
}
