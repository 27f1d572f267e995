import { type Block, details, paragraph, strong, table, terms } from '../document/model.ts'
import type { BalanceChange, EventOf, Timeline, TimelineEvent, TimelineTransaction } from './model.ts'
import { describe, describeChange, nameOf, namesIn, rangeOf, shortHash, transactionOf } from './words.ts'

/**
 * Returns an event for a terminal or a page: a line, and its details. Of an exchange it has only the request's label.
 *
 * @param events one event, or consecutive blocks without transactions.
 */
export function eventBlocks(events: readonly TimelineEvent[], timeline: Timeline): readonly Block[] {
  const [event] = events
  switch (event?.kind) {
    case undefined:
    case 'step':
    case 'answer':
      return []
    case 'rpc':
      return [faultOr(event.fault !== null, `round trip ${describe(events, timeline)}`)]
    case 'store':
      return [faultOr(event.fault, `store: ${event.what}`)]
    case 'sent': {
      const transaction = transactionOf(event.transaction, timeline)
      const text = describe(events, timeline)
      return [transaction === undefined ? paragraph(text) : details(text, transactionBlocks(transaction))]
    }
    case 'block':
      return events.length > 1 ? [emptyBlocks(events, event)] : blockBlocks(event, timeline)
    default:
      return [paragraph(describe(events, timeline))]
  }
}

function faultOr(isFault: boolean, text: string): Block {
  return paragraph(isFault ? strong(text, 'bad') : text)
}

function transactionBlocks({ hash, to, valueRaw, call, data }: TimelineTransaction): readonly Block[] {
  return [
    terms([
      ['hash', hash],
      ['to', to ?? 'a new contract'],
      ['value', `${valueRaw} wei`],
      ...(call === null && data !== '0x' ? [['data', data] as const] : []),
    ]),
    ...(call === null
      ? []
      : [
          paragraph(`calldata: ${call.name}`),
          table(
            'decoded calldata',
            ['argument', 'value', 'meaning'],
            call.arguments.map(({ name, value, meaning }) => [name, value, meaning ?? '']),
          ),
        ]),
  ]
}

function blockBlocks(block: EventOf<'block'>, timeline: Timeline): readonly Block[] {
  const { number, hash, timestampS, transactions } = block
  return [
    paragraph(
      `block ${number} ${shortHash(hash)}, at ${timestampS} s: ${namesIn(block, timeline) || 'empty'}`,
    ),
    ...transactions.flatMap(({ hash: sent, changes }) => changesOf(nameOf(sent, timeline), changes)),
  ]
}

/** Returns the balance changes of a transaction in one line, with the base units below it. */
function changesOf(name: string, changes: readonly BalanceChange[]): readonly Block[] {
  if (changes.length === 0) return []
  const moved = changes.map((change) => `${change.account} ${describeChange(change)}`)
  const rows = changes.map((change) => [change.account, describeChange(change), change.amountRaw])
  const balances = table('balance changes', ['account', 'change', 'base units'], rows)
  return [details(`${name}: ${moved.join('; ')}`, [balances])]
}

function emptyBlocks(events: readonly TimelineEvent[], first: EventOf<'block'>): Block {
  const blocks = events.flatMap((event) => (event.kind === 'block' ? [event] : []))
  const last = blocks.at(-1) ?? first
  const gaps = blocks.slice(1).map(({ timestampS }, at) => timestampS - (blocks[at]?.timestampS ?? 0))
  const [least, most] = [Math.min(...gaps), Math.max(...gaps)]
  const apart = least === most ? `${least} s` : `${least} to ${most} s`
  const range = rangeOf(blocks.map(({ number }) => number))
  return paragraph(`${range}, ${apart} apart: empty; to ${shortHash(last.hash)}, at ${last.timestampS} s`)
}
