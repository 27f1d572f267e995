import { describe, expect, it } from 'vitest'
import { emptyJournal } from '../clients/journal.ts'
import { startFindings } from '../figures.ts'
import type { Row } from '../setup/databases.ts'
import { countIndependently } from './count.ts'
import type { ChainFacts, Evidence } from './evidence.ts'

const KEY = { keyId: 'key-one', partnerId: 'partner-one' }
const NATIVE = `0x${'0'.repeat(40)}`
const SENDER = `0x${'a1'.repeat(20)}`
const MADE_MS = 1_700_000_000_500
const USD = { price: 2_500n * 10n ** 8n, micros: 25_000_000n }
const NOTIONAL = USD.micros.toString().padStart(96, '0')

interface Spoilable {
  builds: Record<string, string | null>[]
  attributions: Record<string, string | null>[]
  budgets: Record<string, string | null>[]
  totals: Record<string, unknown>
  chain: Map<string, ChainFacts>
  evidence: Evidence
}

/** Returns two builds that were returned to a client; the first is executed, reported twice, and recorded. */
function consistent(): Spoilable {
  const journal = emptyJournal()
  const build = (buildId: string) => ({
    buildId,
    validUntilMs: MADE_MS + 1_200_000,
    to: `0x${'B2'.repeat(20)}`,
    data: '0xDEADBEEF',
    value: '10000000000000000',
  })
  for (const buildId of ['build-1', 'build-2'])
    journal.builds.push({ keyId: KEY.keyId, sender: SENDER, build: build(buildId) })
  journal.swaps.push({ keyId: KEY.keyId, txHash: '0xc3', buildIds: ['build-1'] })
  const report = { keyId: KEY.keyId, buildId: 'build-1', txHash: '0xc3', genuine: true }
  journal.reports.push({ ...report, status: null, alreadyRecorded: null })
  journal.reports.push({ ...report, status: 200, alreadyRecorded: false })
  journal.reports.push({ ...report, status: 200, alreadyRecorded: true })
  const row = (buildId: string) => ({
    build_id: buildId,
    key_id: KEY.keyId,
    chain_id: '4663',
    sender: SENDER,
    target: `0x${'b2'.repeat(20)}`,
    calldata: '0xdeadbeef',
    value_raw: '10000000000000000',
    created_at_ms: String(MADE_MS),
    valid_until_ms: String(MADE_MS + 1_200_000),
    token_in: NATIVE,
    amount_in_raw: '10000000000000000',
    notional_usd_micros: NOTIONAL,
  })
  const builds: Record<string, string | null>[] = [row('build-1'), row('build-2')]
  const attributions: Record<string, string | null>[] = [
    {
      build_id: 'build-1',
      key_id: KEY.keyId,
      tx_hash: '0xc3',
      block_number: '77',
      block_hash: '0xe5',
      block_timestamp_s: '1700000003',
      confirmed_at_ms: String(MADE_MS + 9_000),
    },
  ]
  const budgets: Record<string, string | null>[] = [{ partner_id: KEY.partnerId, spent: '2' }]
  const totals: Record<string, unknown> = {
    keyId: KEY.keyId,
    confirmedSwaps: 1,
    lastConfirmationAt: MADE_MS + 9_000,
    estimatedInputUsd: 25,
    pricedSwaps: 1,
    unpricedSwaps: 0,
  }
  const chain = new Map<string, ChainFacts>([
    [
      '0xc3',
      {
        succeeded: true,
        build: {
          sender: SENDER,
          target: `0x${'b2'.repeat(20)}`,
          calldata: '0xdeadbeef',
          value_raw: '10000000000000000',
        },
        attribution: { block_number: '77', block_hash: '0xe5', block_timestamp_s: '1700000003' },
      },
    ],
  ])
  const reports = [{ keyId: KEY.keyId, process: 'one', totals }]
  const feeds = new Map([[NATIVE, { answer: USD.price, decimals: 8 }]])
  const evidence = { journal, keys: [KEY], builds, attributions, budgets, reports, chain, feeds }
  return { builds, attributions, budgets, totals, chain, evidence }
}

function found({ evidence }: Spoilable): readonly string[] {
  const { findings, find } = startFindings()
  countIndependently(evidence, find)
  return findings.map(({ what }) => what)
}
const change = (rows: Record<string, string | null>[], index: number, fields: Row) =>
  Object.assign(rows[index] ?? {}, fields)

describe('the independent count', () => {
  it('finds nothing where everything is as it was answered', () => {
    expect(found(consistent())).toEqual([])
    expect(countIndependently(consistent().evidence, () => {})).toEqual({
      buildsAnswered: 2,
      buildsUnanswered: 0,
      swaps: 1,
      recorded: 1,
    })
  })

  it('accepts a build whose answer was lost, and no second one', () => {
    const spoiled = consistent()
    const { builds, evidence } = spoiled
    evidence.journal.builds.push({ keyId: KEY.keyId, sender: SENDER, build: 'unanswered' })
    builds.push({ ...builds[0], build_id: 'build-3' })
    expect(found(spoiled)).toEqual([])
    builds.push({ ...builds[0], build_id: 'build-4' })
    expect(found(spoiled)).toEqual(['builds that nobody requested'])
  })

  it('accepts an attribution whose only answer was lost', () => {
    const spoiled = consistent()
    spoiled.evidence.journal.reports.splice(1)
    change(spoiled.budgets, 0, { spent: '1' })
    expect(found(spoiled)).toEqual([])
    spoiled.evidence.journal.reports.splice(0)
    change(spoiled.budgets, 0, { spent: '0' })
    expect(found(spoiled)).toEqual(['an attribution that no report recorded'])
  })

  it.each<[string, (spoiled: Spoilable) => unknown]>([
    ['an answered build is lost', ({ builds }) => builds.pop()],
    ['a build differs from its answer', ({ builds }) => change(builds, 1, { calldata: '0xdeadbeee' })],
    ['a build differs from its answer', ({ builds }) => change(builds, 1, { valid_until_ms: '1' })],
    [
      'two answers name one build',
      ({ evidence: { journal } }) => journal.builds.push(...journal.builds.slice(1)),
    ],
    ['builds that nobody requested', ({ builds }) => builds.push({ ...builds[0], build_id: 'build-3' })],
    ['a build has another USD value', ({ builds }) => change(builds, 1, { notional_usd_micros: null })],
    ['an answered attribution is lost', ({ attributions }) => attributions.pop()],
    ['a swap that is not credited', ({ attributions }) => attributions.pop()],
    [
      'an attribution differs from its answer',
      ({ attributions }) => change(attributions, 0, { tx_hash: '0xd4' }),
    ],
    [
      'an attribution that no client reported',
      ({ attributions }) => change(attributions, 0, { tx_hash: '0xd4' }),
    ],
    [
      'an attribution that no client reported',
      ({ attributions }) => change(attributions, 0, { key_id: 'key-two' }),
    ],
    ['an attribution without its build', ({ builds }) => builds.shift()],
    [
      'a build is credited twice',
      ({ attributions }) => attributions.push({ ...attributions[0], tx_hash: '0xd4' }),
    ],
    [
      'a transaction is credited twice',
      ({ attributions }) => attributions.push({ ...attributions[0], build_id: 'build-2' }),
    ],
    [
      'an attribution that the chain does not show',
      ({ attributions }) => change(attributions, 0, { block_hash: '0xe6' }),
    ],
    ['an attribution that the chain does not show', ({ chain }) => chain.clear()],
    [
      'an attribution that the chain does not show',
      ({ builds }) => change(builds, 0, { created_at_ms: '1700000004000' }),
    ],
    [
      'a swap that failed is credited',
      ({ chain }) => chain.set('0xc3', { ...(chain.get('0xc3') as ChainFacts), succeeded: false }),
    ],
    [
      'a false claim was recorded',
      ({ evidence: { journal } }) =>
        journal.reports.push({
          keyId: KEY.keyId,
          buildId: 'build-2',
          txHash: '0xc3',
          genuine: false,
          status: 200,
          alreadyRecorded: true,
        }),
    ],
    [
      'two answers say that they recorded a build first',
      ({ evidence: { journal } }) => journal.reports.push(...journal.reports.slice(1, 2)),
    ],
    ['a total of the report differs', ({ totals }) => Object.assign(totals, { confirmedSwaps: 2 })],
    [
      'a total of the report differs',
      ({ totals }) => Object.assign(totals, { estimatedInputUsd: 25.000001 }),
    ],
    ['a total of the report differs', ({ totals }) => Object.assign(totals, { lastConfirmationAt: MADE_MS })],
    ['a budget differs', ({ budgets }) => change(budgets, 0, { spent: '1' })],
    ['a budget differs', ({ budgets }) => change(budgets, 0, { spent: '4' })],
    ['an unexpected answer', ({ evidence: { journal } }) => journal.unexpected.push('confirm: 500')],
  ])('finds %s', (what, spoil) => {
    const spoiled = consistent()
    spoil(spoiled)
    expect(found(spoiled)).toContain(what)
  })
})
