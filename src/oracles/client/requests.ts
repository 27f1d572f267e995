import type { ZodType } from 'zod'
import type { Goal, GoalToken } from '../../spec/goal.ts'
import { membersOf } from '../../spec/json.ts'
import { LIMITS } from '../../spec/limits.ts'
import { buildBodySchema, confirmBodySchema, quoteQuerySchema } from '../../spec/requests.ts'
import type { RequirementId } from '../../spec/requirements/index.ts'
import { compare, multiply, rational, readRational, subtract, ZERO } from '../amounts/rational.ts'
import { judge, judgeEqual, sameAddress, type Verdict } from '../verdict.ts'
import { DOUBLE_DIGITS } from './costs.ts'
import type { ClientRequest, ObservedClient } from './observation.ts'

/** Judges each request of a client to the service (§4.1, §4.2, §5, §8). */
export function judgeRequests({ requests, goal, account }: ObservedClient): readonly Verdict[] {
  return [
    ...requests.flatMap((request, index) => [
      ...judgeKey(request),
      ...judgeContent(request, requests.slice(0, index), goal, account),
    ]),
    ...judgeUnquoted(requests),
  ]
}

/** Nothing demands a quote: a client that only builds keeps what is due on quotes. */
function judgeUnquoted(requests: readonly ClientRequest[]): readonly Verdict[] {
  const isUnquoted =
    requests.some(({ endpoint, response }) => endpoint === 'build' && response !== null) &&
    !requests.some(({ endpoint }) => endpoint === 'quote')
  if (!isUnquoted) return []
  return (['client.quote.parameters', 'client.same-fee-on-build'] as const).map((clause) =>
    judge(clause, true, { expected: 'a quote like its build, if any', actual: 'no quote' }),
  )
}

function judgeContent(
  request: ClientRequest,
  before: readonly ClientRequest[],
  goal: Goal,
  account: string,
): readonly Verdict[] {
  switch (request.endpoint) {
    case 'quote':
      return judgeSwap(request, goal, 'client.quote.parameters')
    case 'build':
      return [
        ...judgeRoute(before),
        ...judgeSwap(request, goal, 'client.build.body'),
        ...judgeSameFee(request, before),
        judge('client.sender', sameAddress(textOf(fields(request).sender), account), {
          expected: account,
          actual: fields(request).sender,
        }),
      ]
    case 'confirm':
      return [judgeReportForm(request)]
    case 'other':
      return []
  }
}

const fields = ({ parameters }: ClientRequest): Readonly<Record<string, unknown>> => membersOf(parameters)

const textOf = (value: unknown) => (typeof value === 'string' ? value : null)

function judgeKey({ authorization, endpoint }: ClientRequest): readonly Verdict[] {
  const clause = endpoint === 'confirm' ? 'client.confirm.same-key' : 'client.authorization'
  return [
    judge(clause, authorization === 'the key', {
      expected: 'the key that the client was given, in the header `Authorization`',
      actual: authorization,
      note: endpoint,
      boundaryClasses: [endpoint],
    }),
  ]
}

/** Judges the parameters of a quote or a build: their form, the amount, the tokens, and the rest against the goal. */
function judgeSwap(request: ClientRequest, goal: Goal, form: RequirementId): readonly Verdict[] {
  const schema = request.endpoint === 'quote' ? quoteQuerySchema : buildBodySchema
  const problem = problemIn(schema, request.parameters)
  const isWellFormed = problem === null
  const wellFormed = judge(form, isWellFormed, {
    expected: 'every parameter well formed and in its range',
    actual: problem ?? 'as expected',
  })
  // A malformed request shows nothing else.
  if (!isWellFormed) return [wellFormed]
  return [
    wellFormed,
    ...judgeAmount(request, goal),
    ...judgeToken(fields(request), 'from', goal.from),
    ...judgeToken(fields(request), 'to', goal.to),
    judgeGoal(fields(request), goal, request.endpoint),
  ]
}

/** A client may lose the digits that a double does not hold, and must never send more than the amount. */
function judgeAmount({ amountText, endpoint }: ClientRequest, goal: Goal): readonly Verdict[] {
  const text = amountText ?? ''
  const [wanted, sent] = [readRational(goal.amount), readRational(text)]
  const lost = wanted && sent && subtract(wanted, sent)
  const isExact =
    wanted !== null &&
    lost !== null &&
    compare(lost, ZERO) >= 0 &&
    compare(multiply(lost, rational(DOUBLE_DIGITS)), wanted) <= 0
  const details = { expected: goal.amount, actual: text, boundaryClasses: [`${endpoint}.amount`] }
  return [
    judge('client.amount.exact', isExact, details),
    judge('client.amount.plain', !/[eE]/.test(text), {
      ...details,
      expected: 'an amount without an exponent',
    }),
  ]
}

function judgeToken(
  sent: Readonly<Record<string, unknown>>,
  side: 'from' | 'to',
  token: GoalToken,
): readonly Verdict[] {
  if (token.inRegistry) return []
  const [address, decimals] = [textOf(sent[`${side}Address`]), sent[`${side}Decimals`]]
  const isRight = sameAddress(address, token.address) && Number(decimals ?? Number.NaN) === token.decimals
  return [
    judge('client.unknown-token', isRight, {
      expected: { [`${side}Address`]: token.address, [`${side}Decimals`]: token.decimals },
      actual: { [`${side}Address`]: address, [`${side}Decimals`]: decimals ?? null },
      boundaryClasses: [`unknown.${side}`],
    }),
  ]
}

/** Returns the swap parameters of a goal or a request, with the default of each absent one. */
function swapParametersOf(values: Readonly<Record<string, unknown>>, symbols: readonly [unknown, unknown]) {
  const [from, to] = symbols
  const feeBps = Number(values.partnerFeeBps ?? LIMITS.partnerFeeBps.default)
  return {
    from,
    to,
    slippageBps: Number(values.slippageBps ?? LIMITS.slippageBps.default),
    partnerFeeBps: feeBps,
    partnerFeeRecipient: feeBps > 0 ? String(values.partnerFeeRecipient).toLowerCase() : null,
    preferEngine: values.preferEngine ?? values.engine ?? null,
  }
}

function judgeGoal(
  sent: Readonly<Record<string, unknown>>,
  goal: Goal,
  endpoint: ClientRequest['endpoint'],
): Verdict {
  const wanted = swapParametersOf(goal, [goal.from.symbol, goal.to.symbol])
  const actual = swapParametersOf(sent, [sent.from, sent.to])
  const differing = (Object.keys(wanted) as (keyof typeof wanted)[]).filter(
    (name) => wanted[name] !== actual[name],
  )
  const only = (values: typeof wanted) =>
    differing.length === 0 ? 'the same' : Object.fromEntries(differing.map((name) => [name, values[name]]))
  return judge('client.same-swap-on-build', differing.length === 0, {
    expected: only(wanted),
    actual: only(actual),
    boundaryClasses: [`${endpoint}.goal`],
  })
}

/** Judges the fee of a build against that of the quote before it (§4.2: "Pass the same values used on the quote."). */
function judgeSameFee(build: ClientRequest, before: readonly ClientRequest[]): readonly Verdict[] {
  const quote = before.findLast(({ endpoint }) => endpoint === 'quote')
  if (quote === undefined) return []
  const feeOf = (request: ClientRequest) => {
    const { partnerFeeBps, partnerFeeRecipient } = swapParametersOf(fields(request), [null, null])
    return JSON.stringify({ partnerFeeBps, partnerFeeRecipient })
  }
  return [judgeEqual('client.same-fee-on-build', feeOf(build), feeOf(quote))]
}

/** Judges that no build follows a quote that cannot be built. */
function judgeRoute(before: readonly ClientRequest[]): readonly Verdict[] {
  const quote = before.findLast(({ endpoint, response }) => endpoint === 'quote' && response?.status === 200)
  const answered = quote?.response?.json as { readonly route?: unknown } | undefined
  if (answered === undefined) return []
  const route = answered.route as { readonly engine?: unknown; readonly executable?: unknown } | null
  if (route === null)
    return [judge('client.no-route-not-built', false, { expected: 'no build', actual: 'a build' })]
  const isExecutable = route.engine !== 'market' && route.executable !== false
  return isExecutable
    ? []
    : [judge('client.market-not-built', false, { expected: 'no build', actual: 'a build' })]
}

function judgeReportForm({ parameters }: ClientRequest): Verdict {
  const problem = problemIn(confirmBodySchema, parameters)
  return judge('client.confirm.build-id', problem === null, {
    expected: 'a JSON body with `buildId` and `txHash`',
    actual: problem ?? 'as expected',
  })
}

/** Returns a schema's complaints about a value as text; null: none. */
function problemIn(schema: ZodType, value: unknown): string | null {
  const { error } = schema.safeParse(value)
  return error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; ') ?? null
}
