import { ACCOUNTS } from '../../../src/fixtures/accounts.ts'
import {
  type BuildMustBe,
  judgeBuild,
  judgeConfirm,
  judgeQuote,
  parseValidUntil,
  type QuoteMustBe,
  requestedSwap,
  type Verdict,
} from '../../../src/oracles/index.ts'
import { executeBuild } from '../../../src/runner/executeBuild.ts'
import type { Json } from '../../../src/runner/families/shrinkJson.ts'
import { judgingContextOf } from '../../../src/runner/judgingContext.ts'
import { observeBuild, observeQuote } from '../../../src/runner/observe.ts'
import { readChainFacts } from '../../../src/simulation/world/chainFacts.ts'
import { createWorld } from '../../../src/simulation/world/world.ts'
import type { HttpResponse, Transport } from '../../../src/spec/exchange.ts'
import { membersOf } from '../../../src/spec/json.ts'
import { LIMITS } from '../../../src/spec/limits.ts'
import { PARTNER_REPORT } from '../../../src/spec/partnerReport.ts'
import type { BuildResponse } from '../../../src/spec/wire.ts'
import { createClient, type SwapClient } from '../../../src/targets/environment/client.ts'
import { inProcessEnvironment } from '../../../src/targets/environment/inProcess.ts'
import { assert, type Target } from '../target.ts'

const SEED = 1
const DEEP = 30_000
const QUOTE_OUTCOMES: readonly QuoteMustBe[] = ['served', 'routed', 'unpriced', 'refused']
// biome-ignore format: values side by side
const BUILD_OUTCOMES: readonly BuildMustBe[] = ['served', 'answered', 'refused', 'unbuildable', 'failed', 'served-or-failed']
/** Maximum number of verdicts on one response; an honest one gets 500, over all intents of its request. */
const VERDICTS_MAX = 1_000
const CLAUSE = 'quote.amount.positive'

/**
 * Returns the harness's judges, given any response of a target. They must report problems and never throw: their error would
 * blame the harness for the target's response.
 */
export async function judgesTarget(): Promise<Target> {
  const world = await createWorld({ seed: SEED })
  const environment = inProcessEnvironment(world, { seed: SEED })
  const ask = {
    from: 'USDG',
    to: 'DUSD',
    amount: 1_234.56,
    partnerFeeBps: 25,
    partnerFeeRecipient: ACCOUNTS.bob.address,
  }
  const body = { ...ask, sender: ACCOUNTS.alice.address }
  const served = environment.client()
  const [quote, refused] = [await served.quote(ask), await served.quote({ ...ask, amount: -1 })]
  const context = await judgingContextOf(environment)
  const createdAtMs = world.clock.nowMs()
  const built = await served.build(body)
  const build = built.json as BuildResponse
  const facts = requestedSwap(world.manifest, body).swap?.facts
  if (facts === undefined) throw new RangeError('the manifest does not know the tokens')
  const { states } = context
  const { swap, observed: execution } = await executeBuild(world, 'alice', facts, build, { states })
  await world.mine(LIMITS.confirmations)
  const report = { buildId: build.attribution?.buildId ?? '', txHash: swap.hash }
  const confirmed = await served.confirm(report)
  const totals = await served.send({
    method: 'GET',
    path: PARTNER_REPORT.path,
    headers: served.authorization,
    body: null,
  })
  const { head, transactions } = await readChainFacts(world.sandbox, [swap.hash])
  const builds = new Map([
    [
      report.buildId.toLowerCase(),
      {
        keyId: 'one',
        buildId: report.buildId,
        sender: body.sender,
        target: build.tx.to,
        calldata: build.tx.data,
        valueRaw: BigInt(build.tx.value),
        createdAtMs,
        validUntilMs: parseValidUntil(build.attribution?.validUntil)?.epochMs ?? 0,
      },
    ],
  ])
  const observedReport = {
    ...report,
    keyId: 'one',
    key: 'active',
    malformed: null,
    budget: 'unknown',
    verification: 'available',
    headNumber: head.number,
    headTimestampS: BigInt(head.timestampS),
    transactions,
  } as const

  const judges: Readonly<Record<string, (client: SwapClient) => Promise<readonly Verdict[]>>> = {
    quote: async (client) => {
      const { observation } = await observeQuote(
        context,
        client,
        ask,
        { mustBe: 'anything' },
        { hanging: false },
      )
      const { response } = observation
      const earlier = { answer: quote, sameParameters: true, elapsedMs: 500, poolMoved: false }
      return QUOTE_OUTCOMES.flatMap(
        (mustBe) =>
          judgeQuote({
            ...observation,
            earlier: [earlier, { ...earlier, answer: response }],
            intent: { mustBe, clauses: [CLAUSE] },
          }).verdicts,
      )
    },
    build: async (client) => {
      const { observation } = await observeBuild(
        context,
        client,
        body,
        { mustBe: 'anything' },
        { key: 'individual' },
      )
      return BUILD_OUTCOMES.flatMap((mustBe) => {
        const intent = { mustBe, clauses: [CLAUSE] } as const
        const { verdicts, settlement } = judgeBuild({ ...observation, intent, execution })
        return [...verdicts, ...settlement]
      })
    },
    confirm: async (client) => {
      const answer = await client.confirm(report)
      const seen = await client.send({ method: 'GET', path: PARTNER_REPORT.path, headers: {}, body: null })
      const { status, body: text } = seen.exchange.response
      const reports = [confirmed, answer, answer].map((each) => ({
        moments: [
          { ...observedReport, answer: each },
          { ...observedReport, key: 'revoked', answer: each },
        ] as const,
      }))
      const asked = { path: '0', keyId: 'one', answer: { status, body: text }, reportsBefore: 2 }
      return judgeConfirm({ builds, reports, totals: [asked] })
    },
  }
  const inputOf = ({ exchange }: { readonly exchange: { readonly response: HttpResponse } }): Json => {
    const { status, headers, body: text } = exchange.response
    return { status, headers, body: JSON.parse(text) }
  }
  const bases: Record<string, Json> = {
    quote: inputOf(quote),
    'quote refused': inputOf(refused),
    build: inputOf(built),
    'build refused': { status: 422, headers: {}, body: { error: 'no executable route' } },
    confirm: inputOf(confirmed),
    'confirm pending': {
      status: 202,
      headers: { 'retry-after': '5' },
      body: { recorded: false, alreadyRecorded: false },
    },
    'confirm report': inputOf(totals),
  }
  return {
    bases,
    // biome-ignore format: values side by side
    words: [
      100, 200, 202, 302, 400, 401, 409, 422, 429, 500, 503, 999, '', '{', 'null', '[]', '"', `${'['.repeat(DEEP)}${']'.repeat(DEEP)}`,
      '{"a":'.repeat(DEEP), '9'.repeat(5_000), `0x${'00'.repeat(5_000)}`, '1e400', '-0', 'native', 'market', '2026-11-22T12:00:00Z', 1e300,
    ],
    editsText: false,
    run: async (text, base) => {
      const response = responseOf(JSON.parse(text))
      const transport: Transport = async () => response
      const judge = judges[base.split(' ', 1)[0] ?? '']
      const verdicts = (await judge?.(createClient(transport, 'key'))) ?? []
      assert(verdicts.length <= VERDICTS_MAX, `one answer makes ${verdicts.length} verdicts`)
      for (const { expected, actual } of verdicts)
        assert(
          typeof actual !== 'object' && typeof expected !== 'object',
          'the values of a verdict are not text',
        )
    },
    stop: () => world.stop(),
  }
}

/** Returns the response that an input describes, as far as HTTP can carry it. */
function responseOf(input: unknown): HttpResponse {
  const { status, headers, body } = membersOf(input)
  const carried = Object.entries(membersOf(headers))
  return {
    status: Number.isInteger(status) && Number(status) >= 100 && Number(status) <= 999 ? Number(status) : 200,
    headers: Object.fromEntries(
      carried.flatMap(([name, value]) => (typeof value === 'string' ? [[name.toLowerCase(), value]] : [])),
    ),
    body: typeof body === 'string' ? body : bodyText(body),
  }
}

function bodyText(body: unknown): string {
  try {
    return JSON.stringify(body) ?? ''
  } catch {
    // Too deep for this side to write.
    return `${'['.repeat(DEEP)}${']'.repeat(DEEP)}`
  }
}
