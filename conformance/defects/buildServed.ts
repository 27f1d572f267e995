import { ACCOUNTS } from '../../src/fixtures/accounts.ts'
import { type Defect, defect, defectTable } from '../../src/runner/proof/defect.ts'
import { type InjectedAnswer, NoExecutableRouteError } from '../../src/service/testing.ts'
import { VENUE_IDS } from '../../src/spec/venues.ts'
import { changeBuild, changeRanking } from './helpers/rules.ts'
import { completeRequest } from './helpers/tokens.ts'
import {
  answerOf,
  changeBody,
  changeRequest,
  changeResponse,
  type Fields,
  isFor,
  type Json,
  refuse,
  wrapService,
} from './helpers/wire.ts'

const onBuild = (change: (body: Json, fields: Fields) => Json) => changeBody('build', change)
const onStatus = (status: number) => (change: (answer: InjectedAnswer, fields: Fields) => InjectedAnswer) =>
  changeResponse('build', status, change)
const isEstimated = ({ from, to }: Fields) => from === 'GOLD' || to === 'GOLD'

const isNative = ({ fromAddress }: Fields) => fromAddress === 'native'

/** The address of an unknown token, found by its symbol. */
const addressFound = completeRequest('build', ({ from, fromAddress, to, toAddress }, find) => ({
  fromAddress: fromAddress ?? find(from)?.address,
  toAddress: toAddress ?? find(to)?.address,
}))

/** Venues that win USDG to DUSD only after their price has moved. */
const SELDOM_BEST = VENUE_IDS.filter((venue) => venue !== 'venue_c' && venue !== 'venue_e')

/** §4.2, §7: mistakes in the response of a build. */
export const buildServedDefects: readonly Defect[] = [
  defect(
    'build.preference-ignored',
    'build.prefer-engine.forces',
    'preferEngine is ignored',
    changeRequest('build', () => ({ preferEngine: undefined })),
  ),
  defect(
    'build.native-means-weth',
    'build.unknown-token.same-rules',
    'fromAddress `native` of a build is read as WETH',
    changeRequest('build', (fields) => (isNative(fields) ? { from: 'WETH', fromAddress: undefined } : {})),
  ),
  ...defectTable((when: (fields: Fields) => boolean) => refuse('build', when), {
    'build.native-refused': [
      'build.unknown-token.same-rules',
      'a build takes only 0x addresses in fromAddress, and refuses `native`',
      isNative,
    ],
    'build.native-of-the-registry-only': [
      'build.unknown-token.same-rules',
      'fromAddress `native` of a build is refused unless the symbol is ETH',
      (fields) => isNative(fields) && fields.from !== 'ETH',
    ],
    'build.price-marks-refused': [
      'build.price-marks.accepted',
      'a build with USD marks is refused',
      ({ fromPriceUsd }) => fromPriceUsd !== undefined,
    ],
    'narrow.build.refuses.sender.poor': [
      'build.response.route',
      'a build for a sender without funds is 400',
      ({ sender }) => sender === ACCOUNTS.unfunded.address,
    ],
  }),
  ...SELDOM_BEST.map((venue) =>
    defect(
      `narrow.build.route.${venue}-wins`,
      'build.response.route',
      `the route of a build is null where ${venue} is the best at a slippage of 50 %`,
      onBuild((body, { slippageBps, preferEngine, engine = preferEngine }) =>
        slippageBps === 5_000 && engine === undefined && body.engine === venue
          ? { ...body, route: null }
          : body,
      ),
    ),
  ),
  ...defectTable(onBuild, {
    'build.transaction-missing-for-native': [
      'build.returns-transaction',
      'a build that sells native ETH has no calldata',
      (body, { from }) => {
        if (from === 'ETH') delete body.tx.data
      },
    ],
    'build.route-null-for-permit': [
      'build.response.route',
      'the route of a build that needs a permit is null',
      (body) => (body.tx.permit2 ? { ...body, route: null } : body),
    ],
    'build.engine-is-label': [
      'build.response.engine',
      'engine of a build holds the label of the venue',
      (body) => ({ ...body, engine: body.route.venues[0] }),
    ],
    'build.tx-without-chain': [
      'build.response.tx',
      'tx has no chainId',
      ({ tx }) => {
        delete tx.chainId
      },
    ],
    'build.fee-transfer-absent': [
      'build.response.fee-transfer',
      'feeTransfer is missing instead of null',
      ({ feeTransfer, ...body }) => (feeTransfer === null ? body : { ...body, feeTransfer }),
    ],
    'build.attribution-without-window': [
      'build.response.attribution',
      'attribution has no validUntil',
      ({ attribution }) => {
        if (attribution) delete attribution.validUntil
      },
    ],
    'build.without-envelope': [
      'build.response.fee-envelope',
      'a build has no fee envelope',
      ({ route, engine, tx, feeTransfer, attribution }) => ({ route, engine, tx, feeTransfer, attribution }),
    ],
  }),
  ...defectTable(onStatus(422), {
    'build.no-route-capitalised': [
      'build.no-executable-route.body',
      'the error text of a 422 is "No executable route found"',
      () => answerOf(422, { error: 'No executable route found' }),
    ],
    'build.no-venue-503': [
      'build.no-executable-route.no-venue',
      'a build that no venue can serve is 503',
      (answer, { preferEngine }) => ({ ...answer, statusCode: preferEngine === undefined ? 503 : 422 }),
    ],
    'build.market-409': [
      'build.market.refused',
      'a build of a pair that has only a market estimate is 409',
      (answer, fields) => (isEstimated(fields) ? { ...answer, statusCode: 409 } : answer),
    ],
    'build.market-built': [
      'build.market.refused',
      'a build of a pair that has only a market estimate is 200 without a transaction',
      (answer, fields) =>
        isEstimated(fields)
          ? answerOf(200, { route: null, engine: 'market', tx: null, feeTransfer: null, attribution: null })
          : answer,
    ],
  }),
  ...defectTable(onStatus(502), {
    'build.upstream-500': [
      'build.upstream-failure',
      'a chain that cannot be read is 500',
      () => answerOf(500, { error: 'internal error' }),
    ],
  }),
  ...defectTable(onStatus(200), {
    'build.cacheable': [
      'build.never-cached',
      'a build may be cached by anyone for one minute',
      (answer) => ({ ...answer, headers: { ...answer.headers, 'cache-control': 'public, max-age=60' } }),
    ],
  }),
  ...[400, 422, 502].map((status) =>
    defect(
      `build.refusal-cacheable.${status}`,
      'build.never-cached',
      `a build that is refused with ${status} may be cached for one minute`,
      changeResponse('build', status, (answer) => ({
        ...answer,
        headers: { ...answer.headers, 'cache-control': 'private, max-age=60' },
      })),
    ),
  ),
  ...defectTable(wrapService, {
    'build.cached': [
      'build.never-cached',
      'two identical builds get the same response',
      (inject) => {
        const known = new Map<string, ReturnType<typeof inject>>()
        return (request) => {
          if (!isFor('build', request)) return inject(request)
          const key = JSON.stringify([request.headers, request.payload])
          const answer = known.get(key) ?? inject(request)
          known.set(key, answer)
          return answer
        }
      },
    ],
  }),
  ...defectTable(changeBuild, {
    'build.cached-for-all-keys': [
      'build.never-cached',
      'a build that equals one of another key gets the response of that key',
      (build) => {
        const first = new Map<string, { keyId: string; answer: ReturnType<typeof build> }>()
        return (request, caller) => {
          const known = first.get(JSON.stringify(request))
          if (known !== undefined && known.keyId !== caller.keyId) return known.answer
          const answer = build(request, caller)
          first.set(JSON.stringify(request), { keyId: caller.keyId, answer })
          return answer
        }
      },
    ],
    'build.preference-falls-back': [
      'build.prefer-engine.live-quote',
      'when the preferred venue cannot build, another venue does',
      (build) => (request, caller) =>
        build(request, caller).catch((error: unknown) => {
          if (!(error instanceof NoExecutableRouteError) || request.preferEngine === null) throw error
          return build({ ...request, preferEngine: null }, caller)
        }),
    ],
  }),
  defect(
    'build.unknown-address-found',
    'build.unknown-token.required',
    'the address of an unknown token is found by its symbol where the request has none',
    addressFound,
  ),
  defect(
    'build.unknown-token-422',
    'build.unknown-token.built',
    'tokens outside the registry can be quoted but not built',
    changeRanking(
      (ranked, { tokenIn, tokenOut }) => (tokenIn.registered && tokenOut.registered ? ranked : []),
      'build',
    ),
  ),
]
