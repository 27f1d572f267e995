import { all } from '../forge.ts'
import { type Forgery, full, HASH, nth, PENDING, REORG, resealed, without } from './forgery.ts'

const ADDRESS = `0x${'1'.repeat(40)}`

const GENESIS = resealed('the chain before the run', PENDING, [
  ['the genesis block', ['second-evm', 'genesisHash'], (r) => (nth(r, 'genesis').genesisHash = HASH)],
  [
    'the last block of the deployment',
    ['second-evm', 'base.hash'],
    (r) => (nth(r, 'genesis').base.hash = HASH),
  ],
  [
    'the state after the deployment',
    ['second-evm', 'base.stateRoot'],
    (r) => (nth(r, 'genesis').base.stateRoot = HASH),
  ],
  [
    'the time of the deployment',
    ['second-evm', 'timestampS'],
    (r) => (nth(r, 'genesis').base.timestampS += 1),
  ],
  ['the fee wallet', ['second-evm', 'world.feeWallet'], (r) => (nth(r, 'genesis').world.feeWallet = ADDRESS)],
  [
    'the decimals of a token that nobody swaps',
    ['second-evm', 'world.registry'],
    (r) => (nth(r, 'genesis').world.registry[3].decimals = 6),
  ],
  [
    'the spender whom a venue has approved',
    ['second-evm', 'world.venues'],
    (r) => (nth(r, 'genesis').world.venues.at(-1).approval.spender = ADDRESS),
  ],
  [
    'a contract',
    ['other-contracts', 'settlementBytecode'],
    (r) => (nth(r, 'manifest').contracts.settlementBytecode = '0'.repeat(64)),
  ],
  [
    'a contract less',
    ['other-contracts', 'settlementBytecode'],
    (r) => delete nth(r, 'manifest').contracts.settlementBytecode,
  ],
])

const BLOCKS = resealed('blocks', REORG, [
  [
    'the time of a block',
    ['blocks', 'header.timestampS'],
    (r) => (nth(r, 'block', 1).header.timestampS -= 1),
  ],
  [
    'the state root of a block',
    ['blocks', 'header.stateRoot'],
    (r) => (nth(r, 'block', 1).header.stateRoot = HASH),
  ],
  ['the hash of a block', ['second-evm', 'blockHash'], (r) => (nth(r, 'block', 1).blockHash = HASH)],
  ['the number of a block', ['blocks', 'number'], (r) => (nth(r, 'block', 1).number += 1)],
  [
    'the base fee of a block',
    ['blocks', 'header.baseFeeWei'],
    (r) => (nth(r, 'block', 1).header.baseFeeWei = '8'),
  ],
  ['the gas of a block', ['blocks', 'header.gasUsed'], (r) => (full(r).header.gasUsed += 1)],
  ['a block less', ['second-evm', 'new blocks'], (r) => without(r, nth(r, 'block', 1))],
  [
    'a block twice',
    ['second-evm', 'new blocks'],
    (r) => r.entries.splice(r.entries.indexOf(nth(r, 'block', 2)), 0, nth(r, 'block', 2)),
  ],
  [
    'two blocks changed places',
    ['second-evm', 'blockHash'],
    (r) => {
      const at = r.entries.indexOf(nth(r, 'block', 1))
      r.entries.splice(at, 2, r.entries[at + 1], r.entries[at])
    },
  ],
  [
    'an orphaned branch less',
    ['second-evm', 'new blocks'],
    (r) => {
      const orphaned = all(r, 'block').slice(0, 11)
      r.entries = r.entries.filter((each: never) => !orphaned.includes(each))
    },
  ],
])

const TRANSACTIONS = resealed('transactions, receipts and logs', REORG, [
  [
    'the signed bytes of a transaction',
    ['blocks', 'transactions.0.raw'],
    (r) => {
      const [transaction] = full(r).transactions
      transaction.raw = `${transaction.raw.slice(0, -2)}00`
    },
  ],
  [
    'the hash of a transaction',
    ['blocks', 'transactions.0.hash'],
    (r) => (full(r).transactions[0].hash = HASH),
  ],
  [
    'the sender of a transaction',
    ['blocks', 'transactions.0.from'],
    (r) => (full(r).transactions[0].from = ADDRESS),
  ],
  [
    'whether a transaction succeeded',
    ['blocks', 'transactions.0.succeeded'],
    (r) => (full(r).transactions[0].succeeded = false),
  ],
  [
    'the gas of a transaction, and of its block',
    ['blocks', 'header.gasUsed'],
    (r) => {
      full(r).transactions[0].cumulativeGasUsed += 1
      full(r).header.gasUsed += 1
    },
  ],
  ['a log less', ['blocks', 'transactions.0.logs'], (r) => full(r).transactions[0].logs.pop()],
  [
    'two logs changed places',
    ['blocks', 'transactions.0.logs'],
    (r) => full(r).transactions[0].logs.reverse(),
  ],
  [
    'what a log says',
    ['blocks', 'transactions.0.logs'],
    (r) => (full(r).transactions[0].logs[0].data = '0x'),
  ],
  [
    'the contract of a log',
    ['blocks', 'transactions.0.logs'],
    (r) => (full(r).transactions[0].logs[0].address = ADDRESS),
  ],
  ['a transaction less', ['blocks', 'transactions.'], (r) => full(r).transactions.pop()],
  [
    'a transaction twice',
    ['blocks', 'transactions.'],
    (r) => full(r).transactions.push(full(r).transactions[0]),
  ],
])

export const CHAIN_FORGERIES: readonly Forgery[] = [...GENESIS, ...BLOCKS, ...TRANSACTIONS]
