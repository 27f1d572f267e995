import { type Defect, defect } from '../../src/runner/proof/defect.ts'
import { buildBodySchema, quoteQuerySchema } from '../../src/spec/requests.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'
import { SOMEBODY } from './helpers/values.ts'
import { changeRequest, type Fields, refuse } from './helpers/wire.ts'

type Swap = 'quote' | 'build'
const SCHEMAS = { quote: quoteQuerySchema, build: buildBodySchema }

/** Fields that are not checked at all, with the value that is used in place of an invalid one. */
const UNCHECKED: readonly (readonly [Swap, field: string, breaks: RequirementId, used: unknown])[] = [
  ['quote', 'amount', 'quote.amount.positive', 1],
  ['quote', 'engine', 'quote.prefer-engine.known', undefined],
  ['build', 'from', 'limits.symbol', 'ETH'],
  ['build', 'to', 'limits.symbol', 'WETH'],
  ['build', 'amount', 'build.amount.required', 1],
  ['build', 'amount', 'limits.amount', 1],
  ['build', 'sender', 'build.sender.valid', SOMEBODY],
  ['build', 'fromDecimals', 'build.unknown-token.same-rules', 18],
  ['build', 'toDecimals', 'build.unknown-token.same-rules', 18],
  ['build', 'partnerFeeBps', 'build.partner-fee.range', 50],
  ['build', 'engine', 'build.prefer-engine.known', undefined],
]
const unchecked = UNCHECKED.map(([endpoint, field, breaks, used]) =>
  defect(
    `${endpoint}.unchecked.${field}${breaks === 'limits.amount' ? '.range' : ''}`,
    breaks,
    `${endpoint} does not check ${field}, and uses a default for an invalid value`,
    changeRequest(endpoint, (fields) => {
      const problems = SCHEMAS[endpoint].safeParse(fields).error?.issues ?? []
      return problems.some(({ path }) => path[0] === field) ? { ...fields, [field]: used } : fields
    }),
  ),
)

/** Ranges of which the first and the last value are refused. */
const ENDS: readonly (readonly [Swap, field: string, breaks: RequirementId, min: number, max: number])[] = [
  ['quote', 'slippageBps', 'quote.slippage.range', 0, 5_000],
  ['quote', 'partnerFeeBps', 'quote.partner-fee.range', 0, 50],
  ['quote', 'fromDecimals', 'quote.from-decimals.range', 0, 36],
  ['quote', 'toDecimals', 'quote.to-decimals.range', 0, 36],
  ['build', 'slippageBps', 'build.slippage.range', 0, 5_000],
  ['build', 'partnerFeeBps', 'build.partner-fee.range', 0, 50],
]
const endsRefused = ENDS.map(([endpoint, field, breaks, min, max]) =>
  defect(
    `${endpoint}.ends-refused.${field}`,
    breaks,
    `${endpoint} accepts a ${field} between ${min} and ${max}, but not these two values themselves`,
    refuse(endpoint, (fields) => fields[field] !== undefined && [min, max].includes(Number(fields[field]))),
  ),
)

const looksUpUnknown = ({ fromAddress, fromDecimals, toAddress, toDecimals }: Fields) => ({
  ...(fromDecimals === undefined ? {} : { fromAddress: fromAddress ?? SOMEBODY }),
  ...(toDecimals === undefined ? {} : { toAddress: toAddress ?? SOMEBODY }),
})

/** §4.1, §4.2: fields that an endpoint does not check, or whose range it takes too narrow. */
export const fieldDefects: readonly Defect[] = [
  ...unchecked,
  ...endsRefused,
  defect(
    'build.unknown-address-found',
    'build.unknown-token.required',
    'the address of an unknown token is found by its symbol where the request has none',
    changeRequest('build', (fields) => ({ ...fields, ...looksUpUnknown(fields) })),
  ),
]
