import type { ClientSeams } from '../../src/client/inProcessProgram.ts'
import type { ClientRules } from '../../src/client/reference/rules.ts'
import type { Variant } from '../../src/runner/proof/variant.ts'
import type { TransactionRequest } from '../../src/sandbox/wallet.ts'

/** A known-good client that behaves differently. */
const client = (id: string, title: string, seams: ClientSeams): Variant => ({
  ...{ id: `variant.client.${id}`, title, differsIn: [], seams: {}, client: seams },
})

/** Signs fee transfer and swap with other fees, or as another type of transaction. */
const signing = (more: Partial<TransactionRequest>): ClientSeams => ({
  rules: ({ swap, feeTransfer }) => ({
    swap: (build) => ({ ...swap(build), ...more }),
    feeTransfer: (build, goal) => {
      const request = feeTransfer(build, goal)
      return request === null ? null : { ...request, ...more }
    },
  }),
})

const pausing = (pauseMs: (ms: number, attempt: number) => number): ClientSeams => ({
  rules: (rules) => ({
    pauseMs: (attempt, response, nowMs) => {
      const ms = rules.pauseMs(attempt, response, nowMs)
      return ms === null ? null : pauseMs(ms, attempt)
    },
  }),
})

/** Rewrites a request without changing its meaning. */
const writing =
  (change: (text: string) => string): ((rules: ClientRules) => Partial<ClientRules>) =>
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
  client('addresses-in-capitals', 'The sender is written with digits of the other case.', {
    rules: writing((text) =>
      text.replace(
        /"sender":"0x([0-9a-fA-F]{40})"/,
        (_, digits: string) => `"sender":"0x${digits.toLowerCase()}"`,
      ),
    ),
  }),
  client('defaults-spelt-out', 'The default slippage is sent where the user named none.', {
    rules: ({ quoteQuery, buildBody }) => ({
      quoteQuery: (goal) => ({ slippageBps: '50', ...quoteQuery(goal) }),
      buildBody: (goal, sender) =>
        JSON.stringify({ slippageBps: 50, ...(JSON.parse(buildBody(goal, sender)) as object) }),
    }),
  }),
  client('sender-on-quotes', 'The sender is sent with quotes as well.', {
    rules: ({ quoteQuery }) => ({
      quoteQuery: (goal) => ({
        ...quoteQuery(goal),
        sender: '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc',
      }),
    }),
  }),
  client('addresses-of-listed-tokens', 'Listed tokens are named by their address and decimals too.', {
    rules: ({ quoteQuery, buildBody }) => ({
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
  }),
  client('no-quotes', 'No quote is asked for: a swap begins with its build.', {
    ports: ({ http }) => ({
      http: async (request) =>
        request.path.includes('/quote')
          ? { status: 200, headers: {}, body: '{"route":{"engine":"venue_a","executable":true}}' }
          : http(request),
    }),
  }),
  client('engine-as-alias', 'The venue is named as `engine`.', {
    rules: ({ quoteQuery, buildBody }) => ({
      quoteQuery: (goal) => {
        const { preferEngine, ...query } = quoteQuery(goal)
        return { ...query, ...(preferEngine === undefined ? {} : { engine: preferEngine }) }
      },
      buildBody: (goal, sender) => buildBody(goal, sender).replace('"preferEngine"', '"engine"'),
    }),
  }),
  client('own-marks', 'USD marks of its own are sent.', {
    rules: ({ quoteQuery }) => ({
      quoteQuery: (goal) => ({ ...quoteQuery(goal), fromPriceUsd: '1.25', toPriceUsd: '2' }),
    }),
  }),
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
  client('reports-before-mined', 'The swap is reported as soon as it is sent.', {
    rules: () => ({ reportsWhen: 'sent' }),
  }),
  client('reports-when-deep', 'The chain is watched: the swap is reported once, when it is deep.', {
    rules: () => ({ reportsWhen: 'deep' }),
  }),
  client('gives-up-replaced', 'A swap whose place another transaction took is given up, and called failed.', {
    rules: () => ({ isSameSwap: () => false }),
  }),
  client('approves-exactly', 'No more is approved than is swapped.', {
    rules: () => ({ approvalRaw: (amountRaw) => amountRaw }),
  }),
  {
    ...client('sends-twice', 'Signed bytes are sent twice, to be sure.', {
      ports: ({ rpc }) => ({
        rpc: {
          ...rpc,
          request: async <Result>(method: string, params?: readonly unknown[]) => {
            const result = await rpc.request<Result>(method, params)
            if (method === 'eth_sendRawTransaction') await rpc.request(method, params).catch(() => null)
            return result
          },
        },
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
