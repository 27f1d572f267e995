import { parseAbi } from 'viem'
import { split } from '../../../src/simulation/seed.ts'
import { send } from '../clients/client.ts'
import type { Journal } from '../clients/journal.ts'
import { type Address, type Chain, readEach } from '../setup/chain.ts'
import type { Row } from '../setup/databases.ts'
import type { Deployment } from '../setup/deployment.ts'
import { CLIENT_KEYS, type ClientKey } from '../setup/keys.ts'

/** Facts about a transaction on the chain, by the table columns that must agree. */
export interface ChainFacts {
  readonly succeeded: boolean
  readonly build: Row
  readonly attribution: Row
}

/** The partner report of one key, as one process returned it. */
export interface ReportedTotals {
  readonly keyId: string
  readonly process: string
  readonly totals: Readonly<Record<string, unknown>>
}

/** A price in USD, and the number of its decimals. */
export interface Feed {
  readonly answer: bigint
  readonly decimals: number
}

/** Everything that is compared. Only the reports passed through the service's code. */
export interface Evidence {
  readonly journal: Journal
  readonly keys: readonly Pick<ClientKey, 'keyId' | 'partnerId'>[]
  readonly builds: readonly Row[]
  readonly attributions: readonly Row[]
  readonly budgets: readonly Row[]
  readonly reports: readonly ReportedTotals[]
  readonly chain: ReadonlyMap<string, ChainFacts>
  /** USD price of a whole input token from the chain's price feed, by the token's address in lower case. */
  readonly feeds: ReadonlyMap<string, Feed>
}

const FEED_ABI = parseAbi([
  'function decimals() view returns (uint8)',
  'function latestRoundData() view returns (uint80, int256, uint256, uint256, uint80)',
])

/**
 * Reads the report of every key from every process, then ends the service, and reads the database and the chain.
 *
 * @throws {Error} if a process does not respond although nothing disturbs it any more.
 */
export async function gatherEvidence(
  { services, stopServices, database, chain, manifest }: Deployment,
  journal: Journal,
): Promise<Evidence> {
  const reports: ReportedTotals[] = []
  for (const { url } of services)
    for (const key of CLIENT_KEYS) {
      const client = { journal, urls: [url], stream: split(0, 'reports') }
      const reply = await send(client, key, 'report', {})
      if (reply?.status !== 200) throw new Error(`the report of ${url} answers ${reply?.status ?? 'nothing'}`)
      reports.push({ keyId: key.keyId, process: url, totals: reply.body as Record<string, unknown> })
    }
  await stopServices()
  const feeds = new Map<string, Feed>()
  for (const { symbol, address, feed } of manifest.registry)
    if (symbol === 'ETH' && feed !== null) feeds.set(address.toLowerCase(), await readFeed(chain, feed))
  const [builds, attributions, budgets] = await Promise.all([
    database.rows('select * from builds'),
    database.rows('select * from attributions'),
    database.rows('select * from budgets'),
  ])
  const hashes = journal.swaps.map(({ txHash }) => txHash)
  const facts = await readEach(hashes, (hash) => readFacts(chain, hash as Address))
  return {
    ...{ journal, keys: CLIENT_KEYS, reports, feeds, builds, attributions, budgets },
    chain: new Map(facts.flatMap((each) => (each === null ? [] : [each]))),
  }
}

async function readFeed(chain: Chain, feed: string): Promise<Feed> {
  const contract = { address: feed as Address, abi: FEED_ABI }
  const [, answer] = await chain.readContract({ ...contract, functionName: 'latestRoundData' })
  return { answer, decimals: await chain.readContract({ ...contract, functionName: 'decimals' }) }
}

/** Returns the facts of a transaction; null: it is in no block. */
async function readFacts(chain: Chain, hash: Address): Promise<readonly [string, ChainFacts] | null> {
  const [transaction, receipt] = await Promise.all([
    chain.request({ method: 'eth_getTransactionByHash', params: [hash] }),
    chain.request({ method: 'eth_getTransactionReceipt', params: [hash] }),
  ])
  if (transaction === null || receipt === null) return null
  const block = await chain.request({
    method: 'eth_getBlockByNumber',
    params: [receipt.blockNumber, false],
  })
  const facts = {
    succeeded: receipt.status === '0x1',
    build: {
      sender: transaction.from.toLowerCase(),
      target: (transaction.to ?? '').toLowerCase(),
      calldata: transaction.input.toLowerCase(),
      value_raw: `${BigInt(transaction.value)}`,
    },
    attribution: {
      block_number: `${BigInt(receipt.blockNumber)}`,
      block_hash: receipt.blockHash.toLowerCase(),
      block_timestamp_s: `${BigInt(block?.timestamp ?? -1)}`,
    },
  }
  return [hash, facts]
}
