import { LIMITS } from '../../../src/spec/limits.ts'
import { realTime } from '../../../src/targets/realTime.ts'
import type { Address } from '../setup/chain.ts'
import { BLOCK_TIME_MS } from '../setup/deployment.ts'
import { CLIENT_KEYS, type ClientKey } from '../setup/keys.ts'
import { type Client, send } from './client.ts'
import type { AnsweredBuild } from './journal.ts'
import { reportSwap } from './reportSwap.ts'

const PAIRS = [
  { from: 'ETH', to: 'USDG' },
  { from: 'ETH', to: 'USDG' },
  { from: 'ETH', to: 'LSETH' },
] as const
const ENGINES = ['venue_a', 'venue_b', 'venue_c', 'venue_e', 'venue_f'] as const
/** Gas limit that is enough on every venue. */
const GAS = 2_000_000n
const QUOTES_MAX = 3
const BUILD_STATUSES: ReadonlySet<number> = new Set([200, 422])

type Hex = `0x${string}`
interface BuildBody {
  readonly tx: { readonly to: Address; readonly data: Hex; readonly value: string }
  readonly feeTransfer: { readonly to: Address; readonly amountRaw: string } | null
  readonly attribution: { readonly buildId: string; readonly validUntil: number } | null
}
type Built = AnsweredBuild & Pick<BuildBody, 'tx' | 'feeTransfer'>

/**
 * Runs one lifecycle of a client: quotes, a build (or two equal ones), its transaction, and reports until they are decided;
 * then a claim that must be refused. Writes everything to the journal.
 */
export async function runLifecycle(client: Client): Promise<void> {
  const { stream, account } = client
  const key = stream.pick(CLIENT_KEYS)
  const pair = stream.pick(PAIRS)
  const amount = stream.int(1, 9) / 1_000
  for (let quotes = stream.int(0, QUOTES_MAX); quotes > 0; quotes -= 1)
    await send(client, key, 'quote', { ...pair, amount })
  const fee = stream.chanceBps(3_000)
    ? { partnerFeeBps: stream.int(1, 50), partnerFeeRecipient: account }
    : {}
  const engine = stream.chanceBps(5_000) && pair.to === 'USDG' ? { preferEngine: stream.pick(ENGINES) } : {}
  const order = { ...pair, ...fee, ...engine, amount, sender: account }
  const first = await build(client, key, order)
  const twin = stream.chanceBps(1_500) ? await build(client, key, order) : null
  const made = [first, twin].filter((each) => each !== null)
  const [carriedOut] = made
  if (carriedOut === undefined) return
  const txHash = await sendTransactions(client, carriedOut)
  const buildIds = made.map(({ buildId }) => buildId)
  client.journal.swaps.push({ keyId: key.keyId, txHash, buildIds })
  if (stream.chanceBps(6_667)) await realTime.pass(BLOCK_TIME_MS * LIMITS.confirmations)
  await reportSwap(client, key, buildIds, txHash)
}

async function build(client: Client, { keyId, ...key }: ClientKey, order: object): Promise<Built | null> {
  const reply = await send(client, { keyId, ...key }, 'build', { ...order }, BUILD_STATUSES)
  const { builds } = client.journal
  const sender = client.account
  const body = reply?.status === 200 ? (reply.body as BuildBody) : null
  if (body?.attribution == null) {
    builds.push({ keyId, sender, build: reply?.status === 422 ? 'refused' : 'unanswered' })
    return null
  }
  const { tx, feeTransfer, attribution } = body
  const answered = { buildId: attribution.buildId, validUntilMs: attribution.validUntil, ...tx }
  builds.push({ keyId, sender, build: answered })
  return { ...answered, tx, feeTransfer }
}

/** Sends the fee transfer, if there is one, then the swap (§4.2 rule 5). Returns the hash of the swap. */
async function sendTransactions({ chain, account }: Client, { tx, feeTransfer }: Built): Promise<string> {
  const common = { account, gas: GAS, chain: null }
  if (feeTransfer !== null)
    await chain.sendTransaction({ ...common, to: feeTransfer.to, value: BigInt(feeTransfer.amountRaw) })
  return chain.sendTransaction({ ...common, to: tx.to, data: tx.data, value: BigInt(tx.value) })
}
