import { NoExecutableRouteError } from '../../src/service/testing.ts'
import { type Defect, defect } from './defect.ts'
import { pricing, reranked, ruling } from './making/rules.ts'
import {
  answerOf,
  type Fields,
  inFront,
  insteadOf,
  isFor,
  type Json,
  reading,
  refusing,
  showing,
} from './making/wire.ts'

const SOMEBODY = `0x${'fe'.repeat(20)}`
const asking = (change: (fields: Fields) => Fields) => reading('build', change)
const built = (change: (body: Json, fields: Fields) => Json) => showing('build', change)

/** §4.2, §7: mistakes in what a build answers. */
export const buildServedDefects: readonly Defect[] = [
  defect(
    'build.transaction-missing-for-native',
    'build.returns-transaction',
    'a build that sells the native coin comes without calldata',
    built((body, { from }) => {
      if (from === 'ETH') delete body.tx.data
    }),
  ),
  defect(
    'build.unknown-token-422',
    'build.unknown-token.built',
    'tokens outside the registry can be quoted, but not built',
    reranked(
      (ranked, { tokenIn, tokenOut }) => (tokenIn.registered && tokenOut.registered ? ranked : []),
      'build',
    ),
  ),
  defect(
    'build.slippage-default-100',
    'build.slippage.default',
    'without slippageBps it is 100',
    asking((fields) => ({ ...fields, slippageBps: fields.slippageBps ?? 100 })),
  ),
  defect(
    'build.partner-fee-default-house',
    'build.partner-fee.default',
    'without partnerFeeBps, 5 bps go to the house',
    asking((fields) =>
      fields.partnerFeeBps === undefined
        ? { ...fields, partnerFeeBps: 5, partnerFeeRecipient: SOMEBODY }
        : fields,
    ),
  ),
  defect(
    'build.preference-ignored',
    'build.prefer-engine.forces',
    'a build takes the best venue, whatever was preferred',
    asking(({ preferEngine: _ignored, ...fields }) => fields),
  ),
  defect(
    'build.alias-ignored',
    'build.prefer-engine.alias',
    'engine is an unknown field, and ignored',
    asking(({ engine: _ignored, ...fields }) => fields),
  ),
  defect(
    'build.preference-falls-back',
    'build.prefer-engine.live-quote',
    'where the preferred venue cannot build, any other does',
    ruling((domain) => ({
      builder: {
        build: (request, caller) =>
          domain.builder.build(request, caller).catch((error: unknown) => {
            if (!(error instanceof NoExecutableRouteError) || request.preferEngine === null) throw error
            return domain.builder.build({ ...request, preferEngine: null }, caller)
          }),
      },
    })),
  ),
  defect(
    'build.price-marks-refused',
    'build.price-marks.accepted',
    'a build with USD marks is refused: marks belong to quotes',
    refusing('build', ({ fromPriceUsd }) => fromPriceUsd !== undefined),
  ),
  defect(
    'build.route-null-for-permit',
    'build.response.route',
    'a build that needs a permit has no route',
    built((body) => (body.tx.permit2 ? { ...body, route: null } : body)),
  ),
  defect(
    'build.engine-is-label',
    'build.response.engine',
    'engine of a build carries the label of the venue',
    built((body) => ({ ...body, engine: body.route.venues[0] })),
  ),
  defect(
    'build.tx-without-chain',
    'build.response.tx',
    'tx has no chainId',
    built(({ tx }) => {
      delete tx.chainId
    }),
  ),
  defect(
    'build.fee-transfer-absent',
    'build.response.fee-transfer',
    'feeTransfer is left out instead of null',
    built((body) => {
      if (body.feeTransfer === null) delete body.feeTransfer
    }),
  ),
  defect(
    'build.attribution-without-window',
    'build.response.attribution',
    'attribution lacks validUntil',
    built(({ attribution }) => {
      if (attribution) delete attribution.validUntil
    }),
  ),
  defect(
    'build.without-envelope',
    'build.response.fee-envelope',
    'a build has no fee envelope, since the quote had it',
    built(({ route, engine, tx, feeTransfer, attribution }) => ({
      route,
      engine,
      tx,
      feeTransfer,
      attribution,
    })),
  ),
  defect(
    'build.cached',
    'build.never-cached',
    'equal builds of the same second get the same answer',
    inFront((inject) => {
      const known = new Map<string, ReturnType<typeof inject>>()
      return (request) => {
        if (!isFor('build', request)) return inject(request)
        const key = JSON.stringify([request.headers, request.payload])
        const answer = known.get(key) ?? inject(request)
        known.set(key, answer)
        return answer
      }
    }),
  ),
  defect(
    'build.cacheable',
    'build.never-cached',
    'a build says that anybody may cache it for a minute',
    insteadOf('build', 200, (answer) => ({
      ...answer,
      headers: { ...answer.headers, 'cache-control': 'public, max-age=60' },
    })),
  ),
  defect(
    'build.no-route-capitalised',
    'build.no-executable-route.body',
    'the body of 422 says No executable route found',
    insteadOf('build', 422, () => answerOf(422, { error: 'No executable route found' })),
  ),
  defect(
    'build.no-venue-503',
    'build.no-executable-route.no-venue',
    'when no venue can build, 503 asks to try again',
    insteadOf('build', 422, (_answer, { preferEngine }) =>
      answerOf(preferEngine === undefined ? 503 : 422, { error: 'no executable route' }),
    ),
  ),
  defect(
    'build.market-409',
    'build.no-executable-route.market',
    'a build of what only the market prices is 409',
    insteadOf('build', 422, (answer, { from, to }) =>
      from === 'GOLD' || to === 'GOLD' ? answerOf(409, { error: 'no executable route' }) : answer,
    ),
  ),
  defect(
    'build.market-built',
    'build.market.refused',
    'a build of what only the market prices is 200 without a transaction',
    insteadOf('build', 422, (answer, { from, to }) =>
      from === 'GOLD' || to === 'GOLD'
        ? answerOf(200, { route: null, engine: 'market', tx: null, feeTransfer: null, attribution: null })
        : answer,
    ),
  ),
  defect(
    'build.upstream-500',
    'build.upstream-failure',
    'a chain that cannot be read is 500',
    insteadOf('build', 502, () => answerOf(500, { error: 'internal error' })),
  ),
  defect(
    'build.on-prices-of-the-first-quote',
    'build.requotes',
    'a build is made from prices that were found a minute ago',
    pricing((price) => {
      const known = new Map<string, ReturnType<typeof price>>()
      return (request, budget) => {
        const key = JSON.stringify([request.from, request.to, request.amount, request.preferEngine])
        const priced = known.get(key) ?? price(request, budget)
        known.set(key, priced)
        return priced.then((found) => ({ ...found, request }))
      }
    }),
  ),
]
