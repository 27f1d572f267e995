import { type Variant, variant } from '../../src/runner/proof/variant.ts'
import { around } from '../../src/service/testing.ts'
import { changeBuild } from '../defects/helpers/rules.ts'
import { NO_ROUTE } from '../defects/helpers/values.ts'
import {
  answerOf,
  changeAnswers,
  changeBody,
  changeResponse,
  changeRoute,
  fieldsOf,
  isFor,
  type Json,
  jsonOf,
  refuse,
  wrapService,
} from '../defects/helpers/wire.ts'

const attributed = (change: (attribution: Json) => void) =>
  changeBody('build', ({ attribution }) => {
    if (attribution) change(attribution)
  })
const upper = (hex: string) => `0x${hex.slice(2).toUpperCase()}`
const extra = { requestId: 'b7c1', debug: { venuesAsked: 6 } }

const REGISTRY = new Set(['ETH', 'WETH', 'USDG', 'DUSD', 'LSETH', 'WBTC', 'HOOD', 'GOLD', 'VOID'])

/** Other response formats where the specification shows none. */
export const answerVariants: readonly Variant[] = [
  variant(
    'time-iso',
    'validUntil is ISO 8601',
    ['attribution.valid-until.format', 'attribution.valid-until.window', 'confirm.window.executes-within'],
    attributed((attribution) => {
      attribution.validUntil = new Date(attribution.validUntil).toISOString()
    }),
  ),
  variant(
    'time-seconds',
    'validUntil is in epoch seconds',
    ['attribution.valid-until.format', 'attribution.valid-until.window', 'confirm.window.executes-within'],
    attributed((attribution) => {
      attribution.validUntil = Math.floor(attribution.validUntil / 1000)
    }),
  ),
  ...Object.entries({
    'http-date': ['an HTTP date', (ms: number) => new Date(ms).toUTCString()],
    'iso-basic': [
      'ISO 8601 in its basic form',
      (ms: number) => new Date(ms).toISOString().replace(/[-:]|\.\d+/g, ''),
    ],
    'iso-with-zone': [
      'ISO 8601 in another zone than UTC',
      (ms: number) => new Date(ms + 7_200_000).toISOString().replace('Z', '+02:00'),
    ],
    microseconds: ['in epoch microseconds', (ms: number) => ms * 1_000],
  } as const).map(([id, [title, written]]) =>
    variant(
      `time-${id}`,
      `validUntil is ${title}`,
      ['attribution.valid-until.format', 'attribution.valid-until.window', 'confirm.window.executes-within'],
      attributed((attribution) => {
        attribution.validUntil = written(attribution.validUntil)
      }),
    ),
  ),
  variant(
    'time-in-days',
    'validUntil is the number of days since 1900',
    ['attribution.valid-until.format', 'attribution.valid-until.window'],
    attributed((attribution) => {
      attribution.validUntil = attribution.validUntil / 86_400_000 + 25_569
    }),
  ),
  variant(
    'extra-fields',
    'responses contain additional fields and headers',
    ['quote.response.shape', 'build.response.tx', 'confirm.result-body', 'route.null-or-object'],
    changeAnswers((answer, request) => {
      const body = jsonOf(answer)
      if (typeof body !== 'object' || body === null || request.url.includes('openapi')) return answer
      if (body.route)
        Object.assign(body.route, extra, { hops: body.route.hops.map((hop: Json) => ({ ...hop, ...extra })) })
      if (body.tx) Object.assign(body.tx, { gas: '300000' })
      if (body.attribution) Object.assign(body.attribution, { note: 'report the swap within 20 minutes' })
      const headers = { ...answer.headers, 'x-served-by': 'variant' }
      return { ...answer, headers, body: JSON.stringify({ ...body, ...extra }) }
    }),
  ),
  variant(
    'other-labels',
    'the labels of the venues differ',
    ['route.venues', 'hops.dex-name', 'alternatives.label'],
    changeRoute((route) => {
      route.venues = route.venues.map((label: string) => `⚡ ${label.toUpperCase()}`)
      for (const hop of route.hops) hop.dexName = `pool of ${hop.dex}`
      for (const alternative of route.alternatives) alternative.label = alternative.engine
    }),
  ),
  variant(
    'market-through-no-venue',
    'the market estimate has neither venues nor hops',
    ['hops.present', 'route.venues', 'quote.market.not-executable'],
    changeRoute((route) => {
      if (route.engine === 'market') Object.assign(route, { venues: [], hops: [] })
    }),
  ),
  variant(
    'hops-name-the-wrapped-coin',
    'hops name WETH where ETH is wrapped on the way',
    ['hops.meaning', 'hops.path'],
    changeRoute((route) => {
      for (const hop of route.hops)
        for (const side of ['from', 'to']) if (hop[side] === 'ETH') hop[side] = 'WETH'
    }),
  ),
  variant(
    'hops-beside-one-another',
    'a venue with several pools shows them as parallel hops with their shares',
    ['hops.meaning', 'hops.share', 'hops.present'],
    changeRoute((route) => {
      if (route.engine !== 'venue_b') return
      route.hops = route.hops.flatMap((hop: Json) => [
        { ...hop, share: 0.7 },
        { ...hop, share: 0.3 },
      ])
    }),
  ),
  variant(
    'hops-with-a-part-each',
    'the shares of hops in a row add up to 1, and are not equal',
    ['hops.meaning', 'hops.share'],
    changeRoute((route) => {
      if (route.hops.length !== 2) return
      route.hops[0].share = 0.7
      route.hops[1].share = 0.3
    }),
  ),
  variant(
    'integrator-fee-shown',
    'integratorFeeBps is the partner fee wherever there is a route',
    ['fees.integrator.zero', 'fees.envelope', 'quote.no-price.zero-envelope'],
    around(
      changeBody('quote', (body) => void Object.assign(body, { integratorFeeBps: body.partnerFeeBps })),
      changeBody('build', (body) => void Object.assign(body, { integratorFeeBps: body.partnerFeeBps })),
    ),
  ),
  variant(
    'hex-in-upper-case',
    'addresses and calldata are in upper case',
    ['tx.to', 'tx.data', 'tx.allowance-target.spender', 'fee-transfer.to', 'confirm.match.calldata'],
    changeBody('build', ({ tx, feeTransfer }) => {
      tx.to = upper(tx.to)
      tx.data = upper(tx.data)
      if (tx.allowanceTarget) tx.allowanceTarget = upper(tx.allowanceTarget)
      if (feeTransfer) feeTransfer.to = upper(feeTransfer.to)
    }),
  ),
  variant(
    'permit2-named',
    'allowanceTarget is the Permit2 contract where a permit is needed',
    ['tx.permit2.allowance-target', 'tx.allowance-target.spender', 'build.approval.permit2'],
    changeBody('build', ({ tx }) => {
      if (tx.permit2) tx.allowanceTarget = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
    }),
  ),
  variant(
    'fee-transfer-unattributed',
    'a build of two transactions has no attribution',
    ['attribution.with-fee-transfer', 'confirm.not-the-fee-transfer'],
    changeBuild((build) => async (request, caller) => {
      const built = await build(request, caller)
      return built.feeTransfer === null ? built : { ...built, attribution: null }
    }),
  ),
  variant(
    'cache-control-in-other-words',
    'Cache-Control of a quote has another order and more directives; a build has none',
    ['quote.cache-control', 'build.never-cached'],
    changeAnswers((answer, request) => {
      const { 'cache-control': _own, ...headers } = answer.headers
      if (isFor('build', request)) return { ...answer, headers }
      if (!isFor('quote', request)) return answer
      return { ...answer, headers: { ...headers, 'cache-control': 'No-Store, max-age=0, Private' } }
    }),
  ),
  variant(
    'quote-ids-of-their-own',
    'a memoized quote gets a new quoteId each time',
    ['quote.memo.identity', 'route.quote-id.distinct'],
    wrapService((inject) => {
      let count = 0
      return async (request) => {
        const answer = await inject(request)
        const body = jsonOf(answer)
        if (!isFor('quote', request) || !body?.route) return answer
        count += 1
        body.route.quoteId = `${body.route.quoteId.slice(0, -12)}${String(count).padStart(12, '0')}`
        return { ...answer, body: JSON.stringify(body) }
      }
    }),
  ),
  {
    id: 'variant.slower',
    title: 'every call to the chain is made three times',
    differsIn: ['limits.quote-duration', 'limits.build-duration', 'quote.memo.only-identical'],
    unseenBecause: 'The responses are the same, only later.',
    seams: {
      deps: (deps) => ({
        ...deps,
        chain: {
          send: async (calls, options) => {
            await deps.chain.send(calls, options)
            await deps.chain.send(calls, options)
            return deps.chain.send(calls, options)
          },
        },
      }),
    },
  },
  variant(
    'same-token-null',
    'a quote from a token to itself has no route instead of an error',
    ['quote.same-token', 'quote.no-price.null-route'],
    changeResponse('quote', 400, (answer, fields) =>
      fields.from !== undefined && fields.from === fields.to
        ? answerOf(200, NO_ROUTE, { 'cache-control': 'private, no-store' })
        : answer,
    ),
  ),
  variant(
    'wrap-refused',
    'a quote between ETH and WETH is 400',
    ['quote.wrap-pair'],
    refuse('quote', ({ from, to }) => [from, to].toSorted().join() === 'ETH,WETH'),
  ),
  variant(
    'contradictions-ignored',
    'an address and decimals that contradict the registry are ignored',
    ['quote.registry.contradiction', 'quote.from-address.optional'],
    wrapService((inject) => (request) => {
      const { fromAddress, fromDecimals, ...fields } = fieldsOf(request)
      const isBroken = fromAddress !== undefined && !/^(native|0x[0-9a-f]{40})$/i.test(String(fromAddress))
      if (!isFor('quote', request) || !REGISTRY.has(String(fields.from)) || isBroken) return inject(request)
      if (fromDecimals !== undefined && !/^\d+$/.test(String(fromDecimals))) return inject(request)
      return inject({
        ...request,
        url: `${request.url.split('?')[0]}?${new URLSearchParams(fields as never)}`,
      })
    }),
  ),
]
