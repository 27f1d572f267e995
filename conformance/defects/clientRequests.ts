import { formatUnits } from 'viem'
import type { ClientSeams } from '../../src/client/inProcessProgram.ts'
import type { ClientRules } from '../../src/client/reference/rules.ts'
import type { Defect } from '../../src/runner/proof/defect.ts'
import type { Goal } from '../../src/spec/goal.ts'
import { brokenClients } from './helpers/clients.ts'

/** Changes the query of each quote. */
const quoting =
  (change: (query: Record<string, string>, goal: Goal) => Readonly<Record<string, string>>) =>
  ({ quoteQuery }: ClientRules): Partial<ClientRules> => ({
    quoteQuery: (goal) => change({ ...quoteQuery(goal) }, goal),
  })

/** Changes the body of each build. */
const building =
  (change: (body: Record<string, unknown>, goal: Goal) => object) =>
  ({ buildBody }: ClientRules): Partial<ClientRules> => ({
    buildBody: (goal, sender) =>
      JSON.stringify(change(JSON.parse(buildBody(goal, sender)) as Record<string, unknown>, goal)),
  })

const both = (change: (fields: Record<string, unknown>, goal: Goal) => object) => (rules: ClientRules) => ({
  ...quoting((query, goal) => change(query, goal) as Record<string, string>)(rules),
  ...building(change)(rules),
})

const without = (...names: readonly string[]) =>
  both((fields) => Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name))))

/** Adds a key to each URL. */
const keyInUrl: ClientSeams['ports'] = ({ http, apiKey }) => ({
  http: (request) =>
    http({ ...request, path: `${request.path}${request.path.includes('?') ? '&' : '?'}key=${apiKey}` }),
})

/** Clients that ask the service for something else than they should. */
export const clientRequestDefects: readonly Defect[] = brokenClients({
  'client-requests.no-key': [
    'client.authorization',
    'The key is sent with the build alone; quotes go without.',
    ({ headers }) => ({ headers: (key, on) => (on === 'quote' ? {} : headers(key, on)) }),
  ],
  'client-requests.key-without-scheme': [
    'client.authorization',
    'The header is the key alone, without `Bearer`.',
    ({ headers }) => ({
      headers: (key, on) => (on === 'confirm' ? headers(key, on) : { authorization: key }),
    }),
  ],
  'client-requests.no-key-on-confirm': [
    'client.confirm.same-key',
    'Reports are sent without the key, as if they were public.',
    ({ headers }) => ({ headers: (key, on) => (on === 'confirm' ? {} : headers(key, on)) }),
  ],
  'client-requests.key-in-url': [
    'client.key-kept-secret',
    'The key is also sent as a query parameter.',
    { ports: keyInUrl },
  ],
  'client-requests.key-printed': [
    'client.key-kept-secret',
    'Each request is logged with its headers.',
    {
      ports: ({ http, print }) => ({
        http: (request) => {
          print(JSON.stringify(request.headers))
          return http(request)
        },
      }),
    },
  ],
  'client-requests.private-key-printed': [
    'client.key-kept-secret',
    'The configuration is printed at the start, the private key included.',
    {
      ports: ({ state, privateKey, print }) => ({
        state: {
          ...state,
          load: () => {
            print(`account ${privateKey}`)
            return state.load()
          },
        },
      }),
    },
  ],
  'client-requests.amount-as-float-sum': [
    'client.amount.exact',
    'The amount is computed with doubles: 0.1 + 0.2.',
    both((fields, { amount }) => ({
      ...fields,
      amount: Number(amount) / 3 + (Number(amount) / 3) * 2 + Number(amount) * 2 ** -50,
    })),
  ],
  'client-requests.amount-rounded-up': [
    'client.amount.exact',
    'The amount is rounded to two digits, and so also up.',
    both((fields, { amount }) => ({
      ...fields,
      amount: Number(Math.ceil(Number(amount) * 100) / 100),
    })),
  ],
  'client-requests.amount-cut': [
    'client.amount.exact',
    'The amount is cut to four digits after the point.',
    both((fields, { amount }) => {
      const cut = Math.floor(Number(amount) * 10_000) / 10_000
      return { ...fields, amount: cut === 0 ? Number(amount) : cut }
    }),
  ],
  'client-requests.amount-in-base-units': [
    'client.amount.exact',
    'The amount is sent in base units.',
    both((fields, { amount, from }) => ({
      ...fields,
      amount: Number(amount) * 10 ** from.decimals,
    })),
  ],
  'client-requests.amount-through-wei': [
    'client.amount.exact',
    'The amount of a quote is turned into base units by a double, and back.',
    quoting((query, { amount, from }) => {
      const raw = BigInt(Math.round(Number(amount) * 10 ** from.decimals))
      return { ...query, amount: formatUnits(raw, from.decimals) }
    }),
  ],
  'client-requests.amount-exponent': [
    'client.amount.plain',
    'A small amount is sent as JavaScript prints it: 5e-7.',
    both((fields, { amount }) => ({ ...fields, amount: Number(amount) })),
  ],
  'client-requests.slippage-as-percent': [
    'client.quote.parameters',
    'The slippage is sent in percent, as 1.2.',
    quoting((query) =>
      query.slippageBps === undefined
        ? query
        : { ...query, slippageBps: String(Number(query.slippageBps) / 100) },
    ),
  ],
  'client-requests.fee-without-recipient': [
    'client.quote.parameters',
    'A fee is asked for on the quote, and its recipient is not named.',
    quoting(({ partnerFeeRecipient: _, ...query }) => query),
  ],
  'client-requests.build-amount-as-text': [
    'client.build.body',
    'The amount of a build is sent as text.',
    building((body) => ({ ...body, amount: String(body.amount) })),
  ],
  'client-requests.build-without-sender': [
    'client.build.body',
    'A build is asked for without a sender.',
    building(({ sender: _, ...body }) => body),
  ],
  'client-requests.other-sender': [
    'client.sender',
    'The sender of a build is the recipient of the fee.',
    building((body) => ({
      ...body,
      sender: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    })),
  ],
  'client-requests.unknown-token-by-symbol': [
    'client.unknown-token',
    'A token outside the registry is named by its symbol alone.',
    without('fromAddress', 'fromDecimals', 'toAddress', 'toDecimals'),
  ],
  'client-requests.decimals-assumed': [
    'client.unknown-token',
    'Each token outside the registry is taken for one with 18 decimals.',
    both((fields) => ('toDecimals' in fields ? { ...fields, toDecimals: 18 } : fields)),
  ],
  'client-requests.decimals-assumed-of-sold': [
    'client.unknown-token',
    'A token outside the registry is taken for one with 18 decimals where it is sold.',
    both((fields) => ('fromDecimals' in fields ? { ...fields, fromDecimals: 18 } : fields)),
  ],
  'client-requests.fee-only-on-quote': [
    'client.same-fee-on-build',
    'The fee is shown on the quote and left out of the build: the partner gets nothing.',
    building(({ partnerFeeBps: _, partnerFeeRecipient: __, ...body }) => body),
  ],
  'client-requests.fee-raised-on-build': [
    'client.same-fee-on-build',
    'The build has twice the fee of the quote.',
    building((body) =>
      body.partnerFeeBps === undefined
        ? body
        : { ...body, partnerFeeBps: Math.min(50, Number(body.partnerFeeBps) * 2) },
    ),
  ],
  'client-requests.no-fee-at-all': [
    'client.same-swap-on-build',
    'The fee of the partner is never sent: no swap collects it.',
    without('partnerFeeBps', 'partnerFeeRecipient'),
  ],
  'client-requests.slippage-forgotten': [
    'client.same-swap-on-build',
    'The slippage of the user is used for the quote alone.',
    building(({ slippageBps: _, ...body }) => body),
  ],
  'client-requests.slippage-widened': [
    'client.same-swap-on-build',
    'The build has a slippage of 5 %, so that it seldom fails.',
    building((body) => ({ ...body, slippageBps: 500 })),
  ],
  'client-requests.venue-forgotten': [
    'client.same-swap-on-build',
    'The venue that the user chose is used for the quote alone.',
    building(({ preferEngine: _, ...body }) => body),
  ],
  'client-requests.market-built': [
    'client.market-not-built',
    'A route is built although it is not executable.',
    ({ objectionToRoute }) => ({
      objectionToRoute: (route) => (route === null ? objectionToRoute(route) : null),
    }),
  ],
  'client-requests.no-route-built': [
    'client.no-route-not-built',
    'Whether there is a route is left to the build.',
    ({ objectionToRoute }) => ({
      objectionToRoute: (route) => (route === null ? null : objectionToRoute(route)),
    }),
  ],
})
