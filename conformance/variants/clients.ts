import type { Variant } from '../../src/runner/proof/variant.ts'
import type { TransactionRequest } from '../../src/sandbox/wallet.ts'
import { type ClientChange, callingNode, clientSeamsOf } from '../defects/helpers/clients.ts'

/** A known-good client that behaves differently. */
const client = (id: string, title: string, change: ClientChange): Variant => ({
  ...{ id: `variant.client.${id}`, title, differsIn: [], seams: {}, client: clientSeamsOf(change) },
})

/** Signs fee transfer and swap with other fees, or as another type of transaction. */
const signing =
  (more: Partial<TransactionRequest>): ClientChange =>
  ({ swap, feeTransfer }) => ({
    swap: (build) => ({ ...swap(build), ...more }),
    feeTransfer: (build, goal) => {
      const request = feeTransfer(build, goal)
      return request === null ? null : { ...request, ...more }
    },
  })

const pausing =
  (change: (ms: number, attempt: number) => number): ClientChange =>
  ({ pauseMs }) => ({
    pauseMs: (attempt, response, nowMs) => {
      const ms = pauseMs(attempt, response, nowMs)
      return ms === null ? null : change(ms, attempt)
    },
  })

/** Rewrites a request without changing its meaning. */
const writing =
  (change: (text: string) => string): ClientChange =>
  ({ buildBody }) => ({ buildBody: (goal, sender) => change(buildBody(goal, sender)) })

/** Clients that keep every duty in a different way than the reference client. */
export const clientVariants: readonly Variant[] = [
  client('legacy-transactions', 'Transactions of type 0, with one gas price.', signing({ type: 'legacy' })),
  client('access-list-transactions', 'Transactions of type 1.', signing({ type: 'eip2930' })),
  client(
    'higher-fees',
    'Higher fees and another gas limit.',
    signing({
      maxFeePerGas: 9_000_000_000n,
      maxPriorityFeePerGas: 3_000_000_000n,
      gas: 2_000_000n,
    }),
  ),
  client(
    'addresses-in-capitals',
    'The sender is written with digits of the other case.',
    writing((text) =>
      text.replace(
        /"sender":"0x([0-9a-fA-F]{40})"/,
        (_, digits: string) => `"sender":"0x${digits.toLowerCase()}"`,
      ),
    ),
  ),
  client(
    'defaults-spelt-out',
    'The default slippage is sent where the user named none.',
    ({ quoteQuery, buildBody }) => ({
      quoteQuery: (goal) => ({ slippageBps: '50', ...quoteQuery(goal) }),
      buildBody: (goal, sender) =>
        JSON.stringify({ slippageBps: 50, ...(JSON.parse(buildBody(goal, sender)) as object) }),
    }),
  ),
  client('sender-on-quotes', 'The sender is sent with quotes as well.', ({ quoteQuery }) => ({
    quoteQuery: (goal) => ({
      ...quoteQuery(goal),
      sender: '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc',
    }),
  })),
  client(
    'addresses-of-listed-tokens',
    'Listed tokens are named by their address and decimals too.',
    ({ quoteQuery, buildBody }) => ({
      quoteQuery: (goal) => ({
        ...quoteQuery(goal),
        fromAddress: goal.from.address,
        fromDecimals: String(goal.from.decimals),
      }),
      buildBody: (goal, sender) =>
        buildBody(goal, sender).replace(
          /^\{/,
          `{"fromAddress":"${goal.from.address}","fromDecimals":${goal.from.decimals},`,
        ),
    }),
  ),
  client('no-quotes', 'No quote is asked for: a swap begins with its build.', {
    ports: ({ http }) => ({
      http: async (request) =>
        request.path.includes('/quote')
          ? { status: 200, headers: {}, body: '{"route":{"engine":"venue_a","executable":true}}' }
          : http(request),
    }),
  }),
  client('engine-as-alias', 'The venue is named as `engine`.', ({ quoteQuery, buildBody }) => ({
    quoteQuery: (goal) => {
      const { preferEngine, ...query } = quoteQuery(goal)
      return { ...query, ...(preferEngine === undefined ? {} : { engine: preferEngine }) }
    },
    buildBody: (goal, sender) => buildBody(goal, sender).replace('"preferEngine"', '"engine"'),
  })),
  client('own-marks', 'USD marks of its own are sent.', ({ quoteQuery }) => ({
    quoteQuery: (goal) => ({ ...quoteQuery(goal), fromPriceUsd: '1.25', toPriceUsd: '2' }),
  })),
  client(
    'longer-pauses',
    'Pauses are twice as long as they must be.',
    pausing((ms) => ms * 2),
  ),
  client(
    'jitter',
    'Pauses have jitter.',
    pausing((ms, attempt) => ms + ((attempt * 37) % 50)),
  ),
  client(
    'unspoken-pauses',
    'A report that is pending is repeated after the pause and a second.',
    pausing((ms) => ms + 1_000),
  ),
  client('reports-before-mined', 'The swap is reported as soon as it is sent.', () => ({
    reportsWhen: 'sent',
  })),
  client('reports-when-deep', 'The chain is watched: the swap is reported once, when it is deep.', () => ({
    reportsWhen: 'deep',
  })),
  client(
    'gives-up-replaced',
    'A swap whose place another transaction took is given up, and called failed.',
    () => ({ isSameSwap: () => false }),
  ),
  client('approves-exactly', 'No more is approved than is swapped.', () => ({
    approvalRaw: (amountRaw) => amountRaw,
  })),
  {
    ...client('sends-twice', 'Signed bytes are sent twice, to be sure.', {
      ports: callingNode(() => async ({ method, send }) => {
        const result = await send()
        if (method === 'eth_sendRawTransaction') await send().catch(() => null)
        return result
      }),
    }),
    unseenBecause: 'the same bytes are one transaction',
  },
  client('reports-again', 'A swap that is recorded is reported once more.', {
    ports: ({ http }) => ({
      http: async (request) => {
        const response = await http(request)
        return request.path.endsWith('/confirm') && response.status === 200 ? http(request) : response
      },
    }),
  }),
]
