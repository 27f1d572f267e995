import { ACCOUNTS } from '../../../src/fixtures/accounts.ts'
import type { InjectedRequest } from '../../../src/service/testing.ts'
import { type Defect, narrow } from '../defect.ts'
import { at, fieldsOf, inFront, isFor, reading } from '../making/wire.ts'

const DEFAULT = JSON.stringify({
  from: 'USDG',
  to: 'DUSD',
  amount: 1,
  sender: ACCOUNTS.alice.address,
})

/** Ways to read a body that is no JSON: by name, what is taken, which bodies are, and what is read in their place. */
const REPAIRS: readonly (readonly [
  name: string,
  says: string,
  is: RegExp,
  repair: (body: string) => string,
])[] = [
  ['empty', 'an empty body for a swap of its own', /^$/, () => DEFAULT],
  ['truncated', 'a body without its last brace', /^\{[^}]*$/, (body) => `${body}}`],
  ['trailing-comma', 'a comma before the last brace', /,\s*\}$/, (body) => body.replace(/,\s*\}$/, '}')],
  ['single-quotes', 'single quotes', /^\{'/, (body) => body.replaceAll("'", '"')],
  ['word', 'a word for a swap of its own', /^\w+$/, () => DEFAULT],
]

const textOf = ({ payload }: InjectedRequest) => (typeof payload === 'string' ? payload : '')
const repairs: readonly Defect[] = REPAIRS.map(([name, says, is, repair]) =>
  narrow(
    `build.takes.json.${name}`,
    'build.bad-request.json',
    `build takes ${says}`,
    (request) => isFor('build', request) && is.test(textOf(request)),
    inFront((inject) => (request) => inject({ ...request, payload: repair(textOf(request)) })),
  ),
)

/** What the last good report said: a confirm that fills in or completes takes it from there. */
const ANY_HASH = `0x${'ab'.repeat(32)}`
const HOLES = [
  ['build-id', 'absent', 'a report without buildId', (buildId: unknown) => buildId === undefined],
  ['build-id', 'word', 'a word for buildId', (buildId: unknown) => /^[a-z]+$/.test(String(buildId ?? ''))],
  ['build-id', 'short', 'a buildId that lacks a digit', (buildId: unknown) => String(buildId).length === 35],
  ['build-id', 'number', 'a number for buildId', (buildId: unknown) => typeof buildId === 'number'],
  ['tx-hash', 'absent', 'a report without txHash', (txHash: unknown) => txHash === undefined],
  ['tx-hash', 'short', 'a txHash that lacks a digit', (txHash: unknown) => /^0x.{63}$/.test(String(txHash))],
  [
    'tx-hash',
    'without-0x',
    'a txHash without its 0x',
    (txHash: unknown) => /^[0-9a-f]{64}$/.test(String(txHash)),
  ],
  [
    'tx-hash',
    'not-hex',
    'a txHash that is not hex',
    (txHash: unknown) => /^0x.*[^0-9a-f]/.test(String(txHash)),
  ],
] as const

const reports: readonly Defect[] = HOLES.map(([field, name, says, isOpen]) => {
  const key = field === 'build-id' ? 'buildId' : 'txHash'
  const good = field === 'build-id' ? '00000000-0000-4000-8000-000000000000' : ANY_HASH
  return narrow(
    `confirm.takes.${field}.${name}`,
    `confirm.bad-request.${field}`,
    `confirm takes ${says}`,
    at('confirm', (fields) => isOpen(fields[key])),
    reading('confirm', (fields) => ({ ...fields, [key]: good })),
  )
})

const NOTHING = { buildId: '00000000-0000-4000-8000-000000000000', txHash: ANY_HASH }
const unreadable: readonly Defect[] = (
  [
    ['json', 'a body that breaks off', (body: string) => body !== ''],
    ['empty', 'an empty body', (body: string) => body === ''],
  ] as const
).map(([name, says, is]) =>
  narrow(
    `confirm.takes.${name}`,
    'confirm.bad-request.json',
    `confirm takes ${says} for a report of nothing`,
    (request) =>
      isFor('confirm', request) && Object.keys(fieldsOf(request)).length === 0 && is(textOf(request)),
    inFront((inject) => (request) => inject({ ...request, payload: NOTHING })),
  ),
)

/** Bodies that are read though they are none, in one way only. */
export const bodyHoles: readonly Defect[] = [...repairs, ...reports, ...unreadable]
