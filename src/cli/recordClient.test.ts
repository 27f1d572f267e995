import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { ACCOUNTS } from '../fixtures/accounts.ts'
import { PARTNER_KEYS } from '../fixtures/partners.ts'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import { type Anything, forged, goldenText } from '../recordings/testing/forge.ts'
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
import { clientTask } from './suites/clientSuite.ts'
import { plumbline, verifyHere } from './testing/plumbline.ts'

/** A token with a fee transfer; the native coin, twice, so that the service gets the same goal again; a reorganisation. */
const RECORDED = [
  'client.swap.venue_c',
  'client.swap.native',
  'client.lost.swap.sent',
  'client.reorganised.vanished',
] as const
/** One case of each other kind; docs/integrators.md runs them all. */
const OTHERS = ['client.swap.venue_b', 'client.route.none', 'client.killed.after-fee']

const folder = temporaryFolder()
const pathOf = (id: string) => folder.at('recorded', `${id}.json`)
const textOf = (id: string) => readFileSync(pathOf(id), 'utf8')

beforeAll(async () => {
  const { code, text } = await plumbline(
    ...['client', '--start', 'node docs/clients/node/swap.mjs', '--strict', '--instances', '2'],
    ...['--no-config', '--out', folder.at('out'), '--record', folder.at('recorded')],
    ...[...RECORDED, ...OTHERS].flatMap((id) => ['--only', id]),
  )
  expect(code, text).toBe(EXIT.conforms)
})

test('what a client printed is kept for each case', () => {
  const printed = (id: string) => folder.read('out', 'clients', `${id}.log`)
  expect(printed('client.route.none')).toContain('"refused"')
  expect(printed('client.killed.after-fee')).toContain('-- it was killed')
})

test('the recordings of a client hold without the client, and contain no key', async () => {
  const [first, ...others] = RECORDED.map(pathOf) as [string, ...string[]]
  expect((await verifyHere(...others, '--no-execute')).text).toContain('3 of 3 recordings hold')
  const { code, text } = await verifyHere(first)
  expect(code, text).toBe(EXIT.conforms)
  expect(text).toContain('executed in a second EVM without a difference')
  expect(text).toContain(
    'unproven of the client: when it sent what, where it held its keys, how it ended (done)',
  )
  for (const id of [...RECORDED, ...OTHERS]) {
    for (const { secret } of Object.values(PARTNER_KEYS)) expect(textOf(id)).not.toContain(secret)
    expect(textOf(id)).not.toContain(ACCOUNTS.alice.privateKey.slice(2))
  }
})

test('what the client sent to the service and to its node is shown in order', async () => {
  const { code, text } = await plumbline('show', pathOf('client.swap.venue_c'))
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
  'a forgery is detected: %s',
  async (_, words, change) => {
    const said = await verifyRecording(forged(textOf('client.swap.venue_c'), change)).then(
      ({ failures }) => failures.join('\n'),
      (error: Error) => error.message,
    )
    expect(said).toContain(words)
  },
  60_000,
)

/** Returns the verdict on a forged run of a client, or the reason why it is refused. */
async function saidOf(id: (typeof RECORDED)[number], change: (recording: Anything) => void): Promise<string> {
  const text = forged(textOf(id), change)
  return verifyRecording(text, { execute: false, clientTask: async (each) => clientTask(each) }).then(
    (verified) => [verdictOfVerified(verified), ...verified.failures].join('\n'),
    (error: Error) => error.message,
  )
}

test.each<readonly [what: string, words: string, change: (recording: Anything) => void]>([
  [
    'the client failed in something that it did not do',
    'client.one-swap is recorded, and the client breaks nothing',
    (recording) => {
      const outcome = nth(recording, 'outcome')
      outcome.ended = 'unexpected'
      outcome.case = { status: 'fail', requirement: 'client.one-swap' }
      outcome.expected = 'one swap'
      outcome.actual = '2 swaps'
    },
  ],
  [
    'the client reported another transaction',
    'requests',
    (recording) => {
      const client = nth(recording, 'client')
      client.requests = client.requests.filter(({ http }: Anything) => http !== answered(recording, 200).id)
      rejudged(recording)
    },
  ],
  [
    'the client did not send its swap',
    'was sent, and is none of them',
    (recording) => {
      nth(recording, 'client').transactions.pop()
      rejudged(recording)
    },
  ],
  [
    'somebody else sent its swap',
    'signed it',
    (recording) => {
      nth(recording, 'client').transactions.at(-1).from = `0x${'1'.repeat(40)}`
      rejudged(recording)
    },
  ],
  [
    'the client waited for less than it did',
    'it was sent after a later one',
    (recording) => {
      nth(recording, 'client').requests.at(-1).atMs = nth(recording, 'client').requests[0].atMs - 1
      rejudged(recording)
    },
  ],
  [
    'the case demanded nothing',
    'it is not what client.swap.venue_c demands',
    (recording) => {
      nth(recording, 'client').intent = { mustBe: 'anything' }
      rejudged(recording)
    },
  ],
  [
    'it was to swap more',
    'it is not what client.swap.venue_c asks for',
    (recording) => {
      nth(recording, 'client').goal.amount = '2505'
      rejudged(recording)
    },
  ],
  [
    'a second client did nothing',
    'a case has one client',
    (recording) => {
      const { entries } = recording
      const client = nth(recording, 'client')
      entries.splice(entries.indexOf(client), 0, {
        ...structuredClone(client),
        requests: [],
        transactions: [],
      })
    },
  ],
  [
    'there was no client',
    'nothing is recorded of the client',
    (recording) => {
      without(recording, nth(recording, 'client'))
      rejudged(recording)
    },
  ],
])('a forgery is refused: %s', async (_, words, change) => {
  expect(await saidOf('client.swap.venue_c', change)).toContain(words)
})

test('a client that fails by its recording does not conform, even if its case says otherwise', async () => {
  const failed = (recording: Anything) => {
    Object.assign(nth(recording, 'client'), { ending: 'failed', exitCode: 1 })
    rejudged(recording)
  }
  const clause = 'client.done-when-recorded'
  expect(await saidOf('client.swap.native', failed)).toContain(
    `pass is recorded, and the client breaks ${clause}`,
  )
  const said = await saidOf('client.swap.native', (recording) => {
    failed(recording)
    const outcome = nth(recording, 'outcome')
    const facts = { expected: 'done', actual: 'failed', case: { status: 'fail', requirement: clause } }
    Object.assign(outcome, { ended: 'unexpected', ...facts })
  })
  expect(said).toContain(`does-not-conform\n${clause}`)
})

test('a simulation with a client is refused', async () => {
  const { entries } = JSON.parse(textOf('client.swap.native'))
  const client = entries.find(({ kind }: Anything) => kind === 'client')
  client.transactions = [{ raw: '0x12', from: client.account, atMs: 0, byCase: false }]
  const text = forged(goldenText('reorg.after-recorded'), (recording) => {
    recording.entries.splice(recording.entries.indexOf(nth(recording, 'outcome')), 0, client)
  })
  await expect(verifyRecording(text, { execute: false })).rejects.toThrow('a simulation has no client')
})

test('a client may write a path as it likes', async () => {
  const said = await saidOf('client.swap.native', (recording) => {
    const quote = nth(recording, 'http')
    quote.path = quote.path.replace('/quote?', '/quote/?')
    rejudged(recording)
  })
  expect(said).toBe('conforms')
})

test('changes that the case made to the responses of a client cannot be verified, and are counted', async () => {
  const text = forged(textOf('client.swap.native'), (recording) => {
    const request = nth(recording, 'client').requests[0]
    request.got.instead = { status: 200, headers: {}, body: answered(recording, 200).answer.body }
    rejudged(recording)
  })
  const { judgedAs } = await verifyRecording(text, { execute: false })
  expect(judgedAs?.client).toEqual({ ending: 'done', changed: 1 })
})
