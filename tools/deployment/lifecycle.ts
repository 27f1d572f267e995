import { LIMITS } from '../../src/spec/limits.ts'
import { liveTime } from '../../src/targets/liveTime.ts'
import type { AnsweredBuild } from './journal.ts'
import type { ClientKey } from './keys.ts'
import { reportSwap } from './reportSwap.ts'
import { type Client, sendAnywhere } from './sendAnywhere.ts'

const PAIRS = [
  { from: 'ETH', to: 'USDG' },
  { from: 'ETH', to: 'USDG' },
  { from: 'ETH', to: 'LSETH' },
] as const
const ENGINES = ['venue_a', 'venue_b', 'venue_c', 'venue_e', 'venue_f'] as const
/** Enough for every venue. */
const GAS = '0x1e8480'
const QUOTES_MAX = 3
interface BuildBody {
  readonly tx: { readonly to: string; readonly data: string; readonly value: string }
  readonly feeTransfer: { readonly to: string; readonly amountRaw: string } | null
  readonly attribution: { readonly buildId: string; readonly validUntil: number } | null
}

/**
 * One client's work, once: quotes, a build (or two alike), the transaction on the chain, and the report of it until it is
 * decided; then a claim that must be refused. Everything is written to the journal.
 */
export async function runLifecycle(client: Client): Promise<void> {
  const { stream } = client
  const key = stream.pick(client.keys)
  const pair = stream.pick(PAIRS)
  const amount = stream.int(1, 9) / 1_000
  for (let quotes = stream.int(0, QUOTES_MAX); quotes > 0; quotes -= 1)
    await sendAnywhere(client, key, 'quote', { ...pair, amount })
  const fee = stream.chanceBps(3_000)
    ? { partnerFeeBps: stream.int(1, 50), partnerFeeRecipient: client.account }
    : {}
  const engine = stream.chanceBps(5_000) && pair.to === 'USDG' ? { preferEngine: stream.pick(ENGINES) } : {}
  const order = { ...pair, ...fee, ...engine, amount, sender: client.account }
  const first = await build(client, key, order)
  const twin = stream.chanceBps(1_500) ? await build(client, key, order) : null
  const made = [first, twin].flatMap((each) => (each === null ? [] : [each]))
  const [carriedOut] = made
  if (carriedOut === undefined) return
  const txHash = await sendTransactions(client, carriedOut.body)
  const buildIds = made.map(({ answered }) => answered.buildId)
  client.journal.swaps.push({ keyId: key.keyId, txHash, buildIds })
  if (stream.chanceBps(6_667)) await liveTime.pass(client.blockTimeMs * LIMITS.confirmations)
  await reportSwap(client, key, buildIds, txHash)
}

const BUILD_STATUSES: ReadonlySet<number> = new Set([200, 422])

async function build(
  client: Client,
  key: ClientKey,
  order: { readonly from: string; readonly amount: number; readonly sender: string },
): Promise<{ readonly body: BuildBody; readonly answered: AnsweredBuild } | null> {
  const reply = await sendAnywhere(client, key, 'build', { ...order }, BUILD_STATUSES)
  const body = reply?.status === 200 ? (reply.body as BuildBody) : null
  const answered =
    body?.attribution == null
      ? null
      : {
          buildId: body.attribution.buildId,
          validUntilMs: body.attribution.validUntil,
          to: body.tx.to,
          data: body.tx.data,
          value: body.tx.value,
        }
  const { from, amount, sender } = order
  const outcome = answered !== null ? 'answered' : reply?.status === 422 ? 'refused' : 'unanswered'
  client.journal.builds.push({ keyId: key.keyId, sender, from, amount, outcome, build: answered })
  return body === null || answered === null ? null : { body, answered }
}

/** §4.2 rule 5: the fee transfer, where there is one, then the swap. Returns the hash of the swap. */
async function sendTransactions({ chain, account }: Client, { tx, feeTransfer }: BuildBody): Promise<string> {
  const from = account
  if (feeTransfer !== null)
    await chain.call('eth_sendTransaction', [
      { from, to: feeTransfer.to, value: hex(feeTransfer.amountRaw), gas: GAS },
    ])
  const hash = await chain.call('eth_sendTransaction', [
    { from, to: tx.to, data: tx.data, value: hex(tx.value), gas: GAS },
  ])
  return String(hash)
}

function hex(decimal: string): string {
  return `0x${BigInt(decimal).toString(16)}`
}
