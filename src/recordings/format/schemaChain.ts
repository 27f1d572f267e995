import { z } from 'zod'
import { bytes, entry, evmAddress, evmHash, position, quantity, text } from './schemaParts.ts'

const header = z.strictObject({
  parentHash: evmHash.describe('The hash of the block before.'),
  miner: evmAddress.describe('The address of the miner.'),
  stateRoot: evmHash.describe('The root of the state after the block.'),
  transactionsRoot: evmHash.optional().describe('The root of the transactions; absent: the block has none.'),
  receiptsRoot: evmHash.optional().describe('The root of the receipts; absent: the block has none.'),
  gasLimit: z.int().min(2).describe('Below 2 no base fee follows from it (EIP-1559).'),
  gasUsed: position.describe('The gas that was used.'),
  timestampS: position.describe('The time of the block, in seconds.'),
  mixHash: evmHash.describe('The randomness of the block.'),
  baseFeeWei: quantity.describe('The base fee, in wei, as decimal text.'),
})

const token = z.strictObject({
  symbol: text.describe('The symbol of the token.'),
  address: evmAddress.describe('The contract; the zero address is the native coin.'),
  decimals: z.int().min(0).max(36).describe('The decimals of the token.'),
})

/** The chain at the start of the run. The deployment is deterministic: these hashes identify all of it. */
export const genesisEntry = entry('genesis', {
  genesisHash: evmHash.describe('The hash of the genesis block.'),
  base: z
    .strictObject({
      number: position.describe('Its number.'),
      hash: evmHash.describe('Its hash.'),
      stateRoot: evmHash.describe('The root of its state.'),
      timestampS: position.describe('Its time, in seconds.'),
    })
    .describe('The newest block of the deployment, which holds the whole world.'),
  world: z
    .strictObject({
      feeWallet: evmAddress.describe('The fee wallet of the service.'),
      permit2: evmAddress.describe('Permit2.'),
      weth: evmAddress.describe('The wrapped native coin.'),
      registry: z.array(token).describe('Tokens that need only their symbol.'),
      otherTokens: z.array(token).describe('Tokens that need address and decimals.'),
      venues: z
        .array(
          z.strictObject({
            id: text.describe('The id of the venue.'),
            approval: z
              .strictObject({
                kind: z
                  .enum(['erc20', 'permit2'])
                  .describe('`erc20`: by an approval. `permit2`: by a signed permit.'),
                spender: evmAddress.describe('The address that takes the input.'),
              })
              .describe('The approval of an ERC-20 input.'),
          }),
        )
        .describe('The venues.'),
    })
    .describe(
      'Facts about the world for the judges of quotes and builds; the zero address is the native coin.',
    ),
  start: z
    .strictObject({
      number: position.describe('Its number.'),
      blockHash: evmHash.describe('Its hash.'),
      header: header.describe('Its header.'),
    })
    .optional()
    .describe(
      'The block on which the recording begins, if blocks were mined between the deployment and the run; it has the state of `base`. Absent: it begins on `base`.',
    ),
})

const log = z.strictObject({
  address: evmAddress.describe('The contract that wrote it.'),
  topics: z.array(evmHash).describe('Its topics.'),
  data: bytes.describe('Its data.'),
})

const transaction = z.strictObject({
  hash: evmHash.describe('The hash of the transaction.'),
  from: evmAddress.describe('Recovered from the signature.'),
  raw: bytes.describe('The signed bytes.'),
  succeeded: z.boolean().describe('True if it succeeded.'),
  cumulativeGasUsed: position.describe('The gas of this transaction and those before it in the block.'),
  logs: z.array(log).describe('Its logs.'),
})

/**
 * One block, orphaned or not. Its header omits the fields that follow from the rest (the blooms, and the roots of a block
 * without transactions) and those that are the same in every block of this chain. The hash of the block covers all of them.
 */
export const blockEntry = entry('block', {
  number: position.describe('The number of the block.'),
  blockHash: evmHash.describe('Its hash.'),
  header: header.describe('Its header, without fields that follow from the rest.'),
  transactions: z.array(transaction).describe('Its transactions, in order.'),
})

export type RecordedTransaction = z.output<typeof transaction>

/**
 * A command of the run to the chain, or to the line between service and chain (`line.inject`, `line.restore`). The blocks that
 * it mined come before it.
 */
export const controlEntry = entry('control', {
  atMs: z.int().describe('When it was called, in milliseconds.'),
  method: text.describe('The method of JSON-RPC, `batch`, `line.inject` or `line.restore`.'),
  params: z
    .unknown()
    .describe('A JSON value, or `sha256:` and its digest where it is in the table of blobs.'),
  error: text
    .nullable()
    .describe('The class of the error with which the node refused it; null: it was accepted.'),
  head: z
    .strictObject({
      number: position.describe('Its number.'),
      hash: evmHash.describe('Its hash.'),
      timestampS: position.describe('Its time, in seconds.'),
    })
    .describe('The newest block afterwards.'),
})
