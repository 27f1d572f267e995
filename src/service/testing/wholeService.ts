import { buildApp } from '../app.ts'
import { ScriptedChain as ReportsChain } from '../confirm/testing/scriptedChain.ts'
import { createDomain } from '../createDomain.ts'
import { createPartners } from '../partners/partners.ts'
import type { Chain, Clock, RpcCall, RpcReply, Store } from '../ports.ts'
import { systemIds } from '../system/ids.ts'
import { testDeps } from './deps.ts'
import { AT } from './manifest.ts'
import { ScriptedChain as QuotesChain } from './scriptedChain.ts'

const OUT_RAW = 2_490_000_000n
const SUPPLY_SELECTOR = '0x18160ddd'
const SIMULATED = new Set(['eth_simulateV1', 'eth_gasPrice'])

/** Returns the whole service on a chain where venue A delivers as quoted and no transaction is found, and a client with a key. */
export async function wholeService(store: Store, clock: Clock) {
  const quotes = new QuotesChain()
  let heldRaw = 0n
  const hex = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}` as const
  quotes.venue(AT.venueA, () => OUT_RAW)
  quotes.contract(AT.usdg, ({ data }) => hex(data === SUPPLY_SELECTOR ? 10n ** 30n : heldRaw))
  quotes.contract(AT.settlement, () => {
    heldRaw += OUT_RAW
    return '0x'
  })
  const reports = new ReportsChain({
    chainId: '0x1237',
    head: '0x1',
    transaction: null,
    receipt: null,
    block: null,
  })
  /** The parts of the chain that a test changes: the transaction reported, and any reply. */
  const seams = { reported: reports.state, reply: (_call: RpcCall, right: RpcReply): RpcReply => right }
  const chain: Chain = {
    send: async (calls) => {
      const replies = await (calls.some(({ method }) => SIMULATED.has(method)) ? quotes : reports).send(calls)
      return calls.map((call, index) => seams.reply(call, replies[index] as RpcReply))
    },
  }
  const budget = { requests: 1e6, windowMs: 60_000 }
  const deps = { ...testDeps(clock, chain, { store, policy: { budget } }), ids: systemIds }
  const app = await buildApp(deps, createDomain(deps))
  const { key } = await createPartners(deps).issueKey({ partnerId: 'acme', kind: 'individual' })
  const headers = { authorization: `Bearer ${key}` }
  const get = (url: string) => app.inject({ method: 'GET', url, headers })
  const post = (path: string, payload: object) => app.inject({ method: 'POST', url: path, headers, payload })
  const swap = { from: 'ETH', to: 'USDG', amount: 1, sender: AT.sender }
  let quotesSent = 0
  const send = {
    quote: () => {
      // A different amount each time: an identical quote may be memoized.
      quotesSent += 1
      return get(`/api/v1/quote?from=ETH&to=USDG&amount=1.${String(quotesSent).padStart(6, '0')}`)
    },
    build: () => post('/api/v1/swap/build', swap),
    confirm: (buildId: string, txHash = `0x${'ab'.repeat(32)}`) =>
      post('/api/v1/swap/confirm', { buildId, txHash }),
    health: () => get('/healthz'),
  }
  return { app, send, seams }
}
