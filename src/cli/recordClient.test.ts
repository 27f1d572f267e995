import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { ACCOUNTS } from '../fixtures/accounts.ts'
import { PARTNER_KEYS } from '../fixtures/partners.ts'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import { type Anything, forged } from '../recordings/testing/forge.ts'
import {
  answered,
  full,
  keepUsedBlobs,
  nth,
  rejudged,
  withBody,
  without,
} from '../recordings/testing/forgeries/forgery.ts'
import { verdictOfVerified } from '../recordings/verify/summarizeRecording.ts'
import { verifyRecording } from '../recordings/verify/verifyRecording.ts'
import { EXIT } from '../runner/verdict/exitCode.ts'
import { plumbline } from './testing/plumbline.ts'

/** A token with a fee transfer; the native coin, twice, so that the service meets the same goal again; a reorganisation. */
const CASES = [
  'client.swap.venue_c',
  'client.swap.native',
  'client.lost.swap.sent',
  'client.reorganised.vanished',
] as const

const { path: directory } = temporaryFolder()
const recorded = join(directory, 'recorded')
const textOf = (id: string) => readFileSync(join(recorded, `${id}.json`), 'utf8')

beforeAll(async () => {
  const { code, text } = await plumbline(
    ...['client', '--start', 'node docs/clients/node/swap.mjs', '--strict', '--instances', '2'],
    ...['--no-config', '--out', join(directory, 'out'), '--record', recorded],
    ...CASES.flatMap((id) => ['--only', id]),
  )
  expect(code, text).toBe(EXIT.conforms)
})

test('the runs of a client hold without the client, and hold no key', async () => {
  const { code, text } = await plumbline('verify', recorded)
  expect(code, text).toBe(EXIT.conforms)
  expect(text).toContain('4 of 4 recordings hold')
  expect(text).toContain('executed in a second EVM without a difference')
  expect(text).toContain('unproven: what the run says of its client, pass')
  for (const id of CASES) {
    for (const { secret } of Object.values(PARTNER_KEYS)) expect(textOf(id)).not.toContain(secret)
    expect(textOf(id)).not.toContain(ACCOUNTS.alice.privateKey.slice(2))
  }
})

test('what the client sent to the service and to its node is shown, in its order', async () => {
  const { code, text } = await plumbline('show', join(recorded, 'client.swap.venue_c.json'))
  expect(code, text).toBe(EXIT.conforms)
  const parts = [
    'GET /quote',
    'POST /swap/build',
    'send an approval',
    'send a fee transfer',
    'send a swap',
    'POST /swap/confirm',
  ]
  const places = parts.map((part) => text.indexOf(part))
  expect(
    places.every((place) => place >= 0),
    text,
  ).toBe(true)
  expect([...places].sort((one, other) => one - other)).toEqual(places)
})

const sends = ({ entries }: Anything): Anything[] =>
  entries.filter(({ kind, method }: Anything) => kind === 'control' && method === 'eth_sendRawTransaction')

test.each<readonly [what: string, words: string, change: (recording: Anything) => void]>([
  [
    'the last transaction of the client is left out',
    'the chain is in doubt',
    (recording) => {
      without(recording, sends(recording).at(-1))
      keepUsedBlobs(recording)
    },
  ],
  [
    'the client sent its fee transfer twice',
    'the chain is in doubt',
    (recording) => {
      const at = recording.entries.indexOf(sends(recording).at(-2))
      recording.entries.splice(at, 0, structuredClone(recording.entries[at]))
    },
  ],
  [
    'the swap reverted',
    'transactions.0.succeeded',
    (recording) => {
      full(recording).transactions[0].succeeded = false
    },
  ],
  [
    'a report was recorded that was pending',
    'confirm.depth.twelve',
    (recording) => {
      const { answer } = answered(recording, 202)
      answer.status = 200
      answer.body = '{"recorded":true,"alreadyRecorded":false}'
      rejudged(recording)
    },
  ],
  [
    'a build promised more',
    'route.minimum-received.floor',
    (recording) => {
      withBody(recording, 200, (body) => {
        body.route.minimumReceived *= 1.01
      })
      rejudged(recording)
    },
  ],
])(
  'a forger who says that %s is found',
  async (_, words, change) => {
    const said = await verifyRecording(forged(textOf('client.swap.venue_c'), change)).then(
      ({ failures }) => failures.join('\n'),
      (error: Error) => error.message,
    )
    expect(said).toContain(words)
  },
  60_000,
)

test('a forger who says that the client failed, or did not, is believed: verify says that it is unproven', async () => {
  const text = forged(textOf('client.swap.native'), (recording) => {
    const outcome = nth(recording, 'outcome')
    outcome.ended = 'unexpected'
    outcome.case = { status: 'fail', requirement: 'client.one-swap' }
    outcome.expected = 'one swap'
    outcome.actual = '2 swaps'
  })
  const verified = await verifyRecording(text)
  expect(verdictOfVerified(verified)).toBe('does-not-conform')
  expect(verified.judgedAs?.client).toBe('fail')
})
