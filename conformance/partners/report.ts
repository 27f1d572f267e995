import { FEED_DECIMALS } from '../../src/fixtures/tokens.ts'
import {
  bodyOf,
  judgePartnerReport,
  type PartnerFigures,
  parseValidUntil,
  readPartnerReport,
  type SwapParameters,
} from '../../src/oracles/index.ts'
import { assertVerdicts } from '../../src/runner/cases/assertVerdicts.ts'
import type { Case } from '../../src/runner/cases/case.ts'
import { PARTNER_REPORT } from '../../src/spec/partnerReport.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'
import type { BuildResponse } from '../../src/spec/wire.ts'
import type { Answer } from '../../src/targets/environment/client.ts'
import type { Environment, KeyName, Part, With } from '../../src/targets/environment/environment.ts'
import { keyStillWorks } from '../../src/targets/starting/revoke.ts'
import { assert, assumeServed, responseText } from '../support/expect.ts'
import { inUpperCase, NATIVE_IN, PLAIN, type Reports, reporting } from '../support/reports.ts'
import { setFeedAnswer } from '../support/venues.ts'

/** Relative tolerance of a USD sum: its prices come from any market lookup of the service. */
const USD_TOLERANCE = 0.02
/** Tolerance of the last confirmation's time: it may come from the chain's clock, or be truncated to the second. */
const TIME_TOLERANCE_MS = 2_000

/** Returns the figures of a key as text; null: the partner report is not where the suite looks for it. A sum has six digits. */
export async function totalsOf(environment: Environment, key: KeyName): Promise<string | null> {
  const { figures } = await reportOf(environment, key)
  return (
    figures && JSON.stringify({ ...figures, estimatedInputUsd: figures.estimatedInputUsd.toPrecision(6) })
  )
}

/** Requests the report of a key from the declared path. `figures` is null if the report is not there or lacks a figure. */
async function reportOf(
  environment: Environment,
  key: KeyName,
): Promise<{ readonly answer: Answer; readonly figures: PartnerFigures | null }> {
  const answer = await environment.client(key).send({
    method: 'GET',
    path: PARTNER_REPORT.path,
    headers: { authorization: `Bearer ${environment.secret(key)}` },
    body: null,
  })
  return { answer, figures: readPartnerReport(answer) }
}

/**
 * Returns a function that returns the number of confirmed swaps added to a key since this call; null: the partner report is not
 * where the suite looks for it. NaN if the report was there and no longer is.
 */
export async function countAdded(
  environment: Environment,
  key: KeyName,
): Promise<() => Promise<number | null>> {
  const before = (await reportOf(environment, key)).figures
  return async () =>
    before === null
      ? null
      : ((await reportOf(environment, key)).figures?.confirmedSwaps ?? Number.NaN) - before.confirmedSwaps
}

async function figuresOf(environment: Environment, key: KeyName): Promise<PartnerFigures> {
  const { answer, figures } = await reportOf(environment, key)
  assumeServed(figures !== null, `the partner report is not served: ${responseText(answer)}`)
  return figures
}

const ELSEWHERE =
  'the partner report is not where the suite looks for it; name its path and figures under `partnerReport` in the capabilities file'

/** Returns true if the service has nothing at the path, as opposed to a report that failed. */
const isElsewhere = ({ status }: Answer) => status < 500 || status === 501

/**
 * Returns the run of a case that needs the report. The case is not applicable if the report is elsewhere, as its address is not
 * specified.
 *
 * @param broken the requirement violated if the report is at its path but fails. By default, the case proves nothing then.
 */
function onReport<Used extends Part>(
  work: (reports: Reports, environment: With<Used>) => Promise<void>,
  broken: RequirementId | null = null,
): Case<Used>['run'] {
  return async (environment) => {
    const { answer, figures } = await reportOf(environment, 'one')
    if (figures === null && isElsewhere(answer)) return { exercised: 0, notApplicable: ELSEWHERE }
    if (broken !== null) assert(broken, figures !== null, 'status 200', responseText(answer))
    assumeServed(figures !== null, `the partner report is not served: ${responseText(answer)}`)
    return reporting(work)(environment)
  }
}

const endpoint: Case<never> = {
  id: 'partner-report.endpoint',
  title: 'the partner report is at its path and has all its figures',
  requirements: ['partner-report.endpoint'],
  uses: [],
  run: async (environment) => {
    const { answer } = await reportOf(environment, 'one')
    assertVerdicts([judgePartnerReport(answer, answer.exchange.request.path, responseText(answer))])
    return { exercised: 1 }
  },
}

/** Returns the increase of a key's totals since `before`, with the current time of the last confirmation. */
async function addedSince(
  environment: Environment,
  key: KeyName,
  before: PartnerFigures,
): Promise<PartnerFigures> {
  const now = await figuresOf(environment, key)
  return {
    confirmedSwaps: now.confirmedSwaps - before.confirmedSwaps,
    lastConfirmationAt: now.lastConfirmationAt,
    estimatedInputUsd: now.estimatedInputUsd - before.estimatedInputUsd,
    unpricedSwaps: now.unpricedSwaps - before.unpricedSwaps,
  }
}

/** Asserts that the added inputs are worth this much. */
function assertWorth(requirement: RequirementId, addedUsd: number, worthUsd: number): void {
  const isNear = Math.abs(addedUsd - worthUsd) <= USD_TOLERANCE * worthUsd
  assert(requirement, isNear, `about ${worthUsd} USD more`, `${addedUsd} USD more`)
}

const inWords = ({
  confirmedSwaps,
  unpricedSwaps,
  estimatedInputUsd,
}: Omit<PartnerFigures, 'lastConfirmationAt'>): string =>
  `${confirmedSwaps} more confirmed swaps, ${unpricedSwaps} more unpriced, ${estimatedInputUsd} USD more`

/** Builds, executes and records a swap with one of the keys, and returns its build. */
async function confirmedSwap(
  reports: Reports,
  ask: SwapParameters,
  key: KeyName = 'one',
): Promise<BuildResponse> {
  const { build, swap } = await reports.deepSwap(ask, key)
  await reports.recorded(build, swap.hash)
  return build
}

const figures: Case<'control'> = {
  id: 'partner-report.figures',
  title:
    'two confirmed swaps: their count, the USD value of their inputs, the time of the last; a repeat adds nothing',
  requirements: [
    'partner-report.figures',
    'confirm.repeat.safe',
    'partner-report.server-prices',
    'partner-report.unpriced',
  ],
  uses: ['control'],
  waitsS: 8,
  run: onReport(async (reports, environment) => {
    const before = await figuresOf(environment, 'one')
    await confirmedSwap(reports, NATIVE_IN)
    // The two confirmations must have different times.
    await environment.pass(2 * TIME_TOLERANCE_MS)
    const sinceMs = environment.clock.nowMs() - TIME_TOLERANCE_MS
    const { build, swap } = await reports.deepSwap()
    await reports.recorded(build, swap.hash)
    const head = await environment.control.sandbox.chain.head()
    const untilMs = Math.max(environment.clock.nowMs(), head.timestampS * 1_000) + TIME_TOLERANCE_MS
    const { lastConfirmationAt } = await figuresOf(environment, 'one')
    await environment.pass(2 * TIME_TOLERANCE_MS)
    await environment.control.mine()
    for (const hash of [swap.hash, inUpperCase(swap.hash)])
      await reports.recorded(build, hash, 'confirm.repeat.safe')
    const added = await addedSince(environment, 'one', before)
    assert('partner-report.figures', added.confirmedSwaps === 2, '2 more confirmed swaps', inWords(added))
    const isSame = added.lastConfirmationAt === lastConfirmationAt
    const promised = `the last confirmation still at ${lastConfirmationAt}, after a repeat`
    assert('partner-report.figures', isSame, promised, added.lastConfirmationAt)
    // 0.5 ETH at 2,500 USD and 1,234.56 USDG at 1 USD.
    const worthUsd = 0.5 * 2_500 + 1_234.56
    assertWorth('partner-report.figures', added.estimatedInputUsd, worthUsd)
    assertWorth('partner-report.server-prices', added.estimatedInputUsd, worthUsd)
    const at = parseValidUntil(added.lastConfirmationAt)?.epochMs ?? Number.NaN
    assert(
      'partner-report.figures',
      sinceMs <= at && at <= untilMs,
      `the last confirmation from ${sinceMs} to ${untilMs} (epoch ms)`,
      at,
    )
    assert('partner-report.unpriced', added.unpricedSwaps === 0, '0 more unpriced', inWords(added))
  }, 'partner-report.figures'),
}

const serverPrices: Case<'control'> = {
  id: 'partner-report.server-prices',
  title:
    "absurd marks of the caller do not change the notional, nor does a price after the build: it has the server's price at build time",
  requirements: ['partner-report.server-prices'],
  uses: ['control'],
  run: onReport(async (reports, environment) => {
    const before = await figuresOf(environment, 'one')
    const { build, swap } = await reports.deepSwap({
      ...PLAIN,
      fromPriceUsd: 1_000_000,
      toPriceUsd: 1_000_000,
    })
    // The value at build time counts, not the value at the time of the report.
    await setFeedAnswer(environment, PLAIN.from, 3n * 10n ** BigInt(FEED_DECIMALS))
    await reports.recorded(build, swap.hash)
    const { estimatedInputUsd } = await addedSince(environment, 'one', before)
    assertWorth('partner-report.server-prices', estimatedInputUsd, PLAIN.amount)
  }),
}

const UNPRICED = { from: 'EIGHTEEN', to: 'WETH', amount: 100, preferEngine: 'venue_a' } as const

const unpriced: Case<'control'> = {
  id: 'partner-report.unpriced',
  title:
    'a confirmed swap of a token without a price is counted separately and adds no USD value, whatever its marks',
  requirements: ['partner-report.unpriced', 'partner-report.server-prices'],
  uses: ['control'],
  run: onReport(async (reports, environment) => {
    const before = await figuresOf(environment, 'one')
    await confirmedSwap(reports, { ...UNPRICED, fromPriceUsd: 5, toPriceUsd: 5 })
    const added = await addedSince(environment, 'one', before)
    // "Separately" means in addition to the count of all, or in a count that the others do not include.
    const apart = added.confirmedSwaps <= 1 && added.unpricedSwaps === 1 && added.estimatedInputUsd === 0
    assert('partner-report.unpriced', apart, '1 more unpriced and 0 USD more', inWords(added))
  }),
}

const NOTHING = { confirmedSwaps: 0, unpricedSwaps: 0, estimatedInputUsd: 0 }

const onlyReported: Case<'control'> = {
  id: 'partner-report.only-reported',
  title: 'a swap that was built and executed adds nothing until it is reported',
  requirements: ['partner-report.only-reported'],
  uses: ['control'],
  run: onReport(async (reports, environment) => {
    const start = await figuresOf(environment, 'one')
    await reports.build(UNPRICED)
    const { build, swap } = await reports.swap(PLAIN)
    await environment.control.mine(20)
    const before = await addedSince(environment, 'one', start)
    const isNothing = inWords(before) === inWords(NOTHING)
    assert('partner-report.only-reported', isNothing, inWords(NOTHING), inWords(before))
    await reports.recorded(build, swap.hash)
    const after = await addedSince(environment, 'one', start)
    assert('partner-report.only-reported', after.confirmedSwaps === 1, '1 swap more once reported', after)
  }),
}

const perKey: Case<'control'> = {
  id: 'partner-report.per-key',
  title: 'a swap confirmed with one key adds nothing to the totals of another',
  requirements: ['partner-report.per-key'],
  uses: ['control'],
  run: onReport(async (reports, environment) => {
    const [ownBefore, otherBefore] = [
      await figuresOf(environment, 'one'),
      await figuresOf(environment, 'two'),
    ]
    await confirmedSwap(reports, PLAIN)
    const own = await addedSince(environment, 'one', ownBefore)
    const other = await addedSince(environment, 'two', otherBefore)
    assert('partner-report.per-key', own.confirmedSwaps === 1, '1 swap of its own', own)
    const isSame =
      other.confirmedSwaps === 0 &&
      other.estimatedInputUsd === 0 &&
      other.lastConfirmationAt === otherBefore.lastConfirmationAt
    assert('partner-report.per-key', isSame, 'nothing for the other key', other)
    const both = ['one', 'two'] as const
    const atOnce = await Promise.all(both.map((key) => figuresOf(environment, key)))
    const counted = atOnce.map(({ confirmedSwaps }) => confirmedSwaps)
    const expected = [ownBefore.confirmedSwaps + 1, otherBefore.confirmedSwaps]
    assert('partner-report.per-key', `${counted}` === `${expected}`, `${expected} at once`, `${counted}`)
  }),
}

const replacedKey: Case<'control' | 'spareKeys' | 'revokeKey'> = {
  id: 'partner-report.replaced-key',
  title: 'a replaced key: the new key has its own totals, and no key can report the builds of the old one',
  requirements: ['partner-report.replaced-key', 'auth.build-of-active-key', 'auth.confirm.same-key'],
  uses: ['control', 'spareKeys', 'revokeKey'],
  // A user's command starts a process.
  busyS: 2,
  run: onReport(async (reports, environment) => {
    await environment.outlastBudget()
    const fresh = await figuresOf(environment, 'successor')
    const twin = await confirmedSwap(reports, PLAIN, 'retiring')
    const own = await addedSince(environment, 'successor', fresh)
    assert('partner-report.replaced-key', own.confirmedSwaps === 0, 'nothing for the new key', own)
    const { build, swap } = await reports.deepSwap(PLAIN, 'retiring')
    await reports.send(build, swap.hash, { by: 'successor', clauses: ['auth.confirm.same-key'], twin })

    const command = await environment.revokeKey('retiring')
    if (command !== null) await assumeRevoked(environment, command, build, swap.hash)
    const clauses = ['auth.build-of-active-key'] as const
    await reports.send(build, swap.hash, { key: 'revoked', clauses, twin })
    await reports.send(build, swap.hash, { by: 'successor', clauses, twin })
    await confirmedSwap(reports, PLAIN, 'successor')
    const later = await addedSince(environment, 'successor', fresh)
    assert('partner-report.replaced-key', later.confirmedSwaps === 1, '1 swap of the new key', later)
  }),
}

/**
 * Assumes that the user's command took effect: a key under which builds are still attributed and reports still recorded is not
 * revoked.
 *
 * @throws {BlamedError}
 */
async function assumeRevoked(
  environment: With<'control'>,
  command: string,
  { attribution }: BuildResponse,
  txHash: string,
): Promise<void> {
  const later = await environment.client('retiring').build({ ...PLAIN, sender: environment.address('alice') })
  if (later.status !== 200 || !bodyOf(later).attribution) return
  const report = { buildId: attribution?.buildId, txHash }
  const reported = await environment.client('retiring').confirm(report)
  if (reported.status === 200)
    throw keyStillWorks(command, `a build is attributed to it, and its report is recorded`)
}

/** §4.3 rule 8, §5: the totals and builds of each key of a partner. */
export const partnerCases: readonly Case[] = [
  endpoint,
  figures,
  serverPrices,
  unpriced,
  onlyReported,
  perKey,
  replacedKey,
]
