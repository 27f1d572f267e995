import { expect, test } from 'vitest'
import { toTerminal } from '../document/terminal.ts'
import { toHtml } from '../html/document.ts'
import { eventBlocks } from './events.ts'
import type { Timeline, TimelineEvent } from './model.ts'

const PLACE = { step: '0', atMs: 0 }
const CHANGES = [{ account: 'alice', token: 'ETH', amountRaw: '-500', amount: '-0.5' }]
const block = (number: number, ...transactions: readonly string[]): TimelineEvent => ({
  ...{ kind: 'block', number, hash: `0x${number}`, parent: '0x', timestampS: number, ...PLACE },
  transactions: transactions.map((hash) => ({ hash, succeeded: hash === '0xa', changes: CHANGES })),
})
const TIMELINE = {
  transactions: [{ name: 'tx', hash: '0xa', build: null, to: null, valueRaw: '7', call: null, data: '0x01' }],
} as unknown as Timeline
const linesOf = (...events: readonly TimelineEvent[]) => toTerminal(eventBlocks(events, TIMELINE))

test('a fault stands out, in words and in tone', () => {
  const trip = (fault: string | null) =>
    eventBlocks([{ kind: 'rpc', calls: ['eth_call', 'eth_call'], fault, ...PLACE }], TIMELINE)
  expect(trip('down')).toEqual([
    { kind: 'paragraph', text: [{ kind: 'strong', strong: 'round trip call ×2 (down)', tone: 'bad' }] },
  ])
  expect(trip(null)).toEqual([{ kind: 'paragraph', text: ['round trip call ×2'] }])
})

test('a terminal gets a line for what a transaction moves and holds, and a page all of it', () => {
  expect(linesOf(block(3, '0xa', '0xb'))).toEqual([
    ...['block 3 0x3, at 3 s: tx, 0xb reverted', 'tx: alice −0.5 ETH', '0xb: alice −0.5 ETH'],
  ])
  expect(linesOf(block(3), block(4), block(6))).toEqual([
    'blocks 3 to 6, 1 to 2 s apart: empty; to 0x6, at 6 s',
  ])
  expect(toHtml(eventBlocks([block(3, '0xa')], TIMELINE)).text).toContain('>-500<')
  const sent = eventBlocks([{ kind: 'sent', transaction: '0xa', replaces: null, ...PLACE }], TIMELINE)
  expect(toTerminal(sent)).toEqual(['tx sent'])
  for (const part of ['a new contract', '7 wei', '0x01']) expect(toHtml(sent).text).toContain(part)
})
