import type { Chain } from './chain.ts'
import { send } from './client.ts'
import type { Database } from './databases.ts'
import type { Deployment } from './deployment.ts'
import type { Journal } from './journal.ts'
import type { ClientKey } from './keys.ts'

/** Rows as plain SQL reads them: every value as text, null where there is none. */
export type Row = Readonly<Record<string, string | null>>

/** Describes what the chain says of a transaction. */
export interface ChainFacts {
  readonly succeeded: boolean
  readonly from: string
  readonly to: string
  readonly data: string
  readonly value: string
  readonly blockNumber: number
  readonly blockHash: string
  readonly blockTimestampS: number
}

/** The partner report of one key, as one process returned it. */
export interface ReportedTotals {
  readonly keyId: string
  readonly process: string
  readonly totals: Readonly<Record<string, unknown>>
}

/** Everything that the count compares. Nothing here passed through the service's code but the reports themselves. */
export interface Evidence {
  readonly journal: Journal
  readonly keys: readonly Pick<ClientKey, 'keyId' | 'partnerId'>[]
  readonly builds: readonly Row[]
  readonly attributions: readonly Row[]
  readonly budgets: readonly Row[]
  readonly reports: readonly ReportedTotals[]
  readonly chain: ReadonlyMap<string, ChainFacts>
  /** Price of one whole input token in USD as the chain's feed has it, by the token's address in lower case. */
  readonly feeds: ReadonlyMap<string, Feed>
}

/** A price in USD, and how many decimals its number has. */
interface Feed {
  readonly answer: bigint
  readonly decimals: number
}

async function readRows(database: Database): Promise<Pick<Evidence, 'builds' | 'attributions' | 'budgets'>> {
  return {
    builds: await database.rows('select * from builds'),
    attributions: await database.rows('select * from attributions'),
    budgets: await database.rows('select * from budgets'),
  }
}

interface RpcTransaction {
  readonly from: string
  readonly to: string | null
  readonly input: string
  readonly value: string
}
interface RpcReceipt {
  readonly status: string
  readonly blockNumber: string
  readonly blockHash: string
}

/** Reads the transactions that the clients sent; one that is in no block is left out. */
async function readChain(
  chain: Chain,
  txHashes: readonly string[],
): Promise<ReadonlyMap<string, ChainFacts>> {
  const each = txHashes.map((hash) => [hash])
  const transactions = (await chain.callAll('eth_getTransactionByHash', each)) as (RpcTransaction | null)[]
  const receipts = (await chain.callAll('eth_getTransactionReceipt', each)) as (RpcReceipt | null)[]
  const numbers = [...new Set(receipts.flatMap((receipt) => receipt?.blockNumber ?? []))]
  const blocks = (await chain.callAll(
    'eth_getBlockByNumber',
    numbers.map((number) => [number, false]),
  )) as { readonly timestamp: string }[]
  const timestampOf = new Map(numbers.map((number, index) => [number, blocks[index]?.timestamp]))
  const facts = new Map<string, ChainFacts>()
  for (const [index, txHash] of txHashes.entries()) {
    const [transaction, receipt] = [transactions[index], receipts[index]]
    if (transaction == null || receipt == null) continue
    facts.set(txHash, {
      succeeded: receipt.status === '0x1',
      from: transaction.from.toLowerCase(),
      to: (transaction.to ?? '').toLowerCase(),
      data: transaction.input.toLowerCase(),
      value: BigInt(transaction.value).toString(),
      blockNumber: Number(receipt.blockNumber),
      blockHash: receipt.blockHash.toLowerCase(),
      blockTimestampS: Number(timestampOf.get(receipt.blockNumber)),
    })
  }
  return facts
}

/** `latestRoundData()`: the answer is the second of five words. */
const LATEST_ROUND_DATA = '0xfeaf968c'
const FEED_DECIMALS = 8

/** Returns the price of the native coin. */
async function readFeed(chain: Chain, feed: string): Promise<Feed> {
  const words = String(await chain.call('eth_call', [{ to: feed, data: LATEST_ROUND_DATA }, 'latest']))
  return { answer: BigInt(`0x${words.slice(2 + 64, 2 + 128)}`), decimals: FEED_DECIMALS }
}

/**
 * Asks every process for the report of every key, then ends the service with `stop`, and reads the database and the chain.
 *
 * @throws {Error} a process does not answer: it must, when nothing attacks it any more.
 */
export async function gatherEvidence(
  deployment: Pick<Deployment, 'services' | 'keys' | 'database' | 'chain' | 'manifest'>,
  journal: Journal,
  stop: () => Promise<void>,
): Promise<Evidence> {
  const { services, keys, database, chain, manifest } = deployment
  const reports: ReportedTotals[] = []
  for (const { url } of services)
    for (const key of keys) {
      const reply = await send({ journal, key, baseUrl: url }, 'report', {})
      if (reply?.status !== 200) throw new Error(`the report of ${url} answers ${reply?.status ?? 'nothing'}`)
      reports.push({ keyId: key.keyId, process: url, totals: reply.body as Record<string, unknown> })
    }
  await stop()
  const feeds = new Map<string, Feed>()
  for (const { symbol, address, feed } of manifest.registry)
    if (symbol === 'ETH' && feed !== null) feeds.set(address.toLowerCase(), await readFeed(chain, feed))
  const facts = await readChain(
    chain,
    journal.swaps.map(({ txHash }) => txHash),
  )
  return { journal, keys, reports, chain: facts, feeds, ...(await readRows(database)) }
}
