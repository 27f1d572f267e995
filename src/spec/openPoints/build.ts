import { type OpenPoint, STATUS } from './types.ts'

const FEE_PAYMENT = ['inside', 'transfer'] as const
const VALID_UNTIL = [
  'epoch-s',
  'epoch-ms',
  'epoch-us',
  'epoch-ns',
  'iso-8601',
  'http-date',
  'unreadable',
] as const

/** The open points of build, of keys and of every endpoint (§2.3, §2.5, §4, §4.2, §5). */
export const BUILD_POINTS = {
  'service.content-type': {
    settledBy: 'The `Content-Type` of every response is `application/json`.',
    aspects: {
      served: {
        situation: 'a response with 200',
        answers: ['json', 'json-utf-8', 'problem-json', 'other', 'none'],
      },
      refused: {
        situation: 'a response of 400 or more',
        answers: ['json', 'json-utf-8', 'problem-json', 'other', 'none'],
      },
    },
  },
  'tx.permit2.allowance-target': {
    settledBy: 'With a permit, `allowanceTarget` is the spender that the permit names.',
    aspects: {
      '': { situation: '`allowanceTarget` with a permit', answers: ['spender', 'permit2', 'other'] },
    },
  },
  'attribution.valid-until.format': {
    settledBy: '`validUntil` is a number of milliseconds since 1970.',
    aspects: { '': { situation: '`validUntil`', answers: VALID_UNTIL } },
  },
  'attribution.with-fee-transfer': {
    settledBy: 'A build with a fee transfer has an attribution.',
    aspects: { '': { situation: '`attribution` next to a fee transfer', answers: ['populated', 'null'] } },
  },
  'build.fee-transfer.other-venues': {
    settledBy: 'Venues other than `venue_c` and `venue_d` pay the fee inside `tx`.',
    aspects: {
      venue_a: { situation: 'the fee of a build of `venue_a`', answers: FEE_PAYMENT },
      venue_b: { situation: 'the fee of a build of `venue_b`', answers: FEE_PAYMENT },
      venue_c: { situation: 'the fee of a build of `venue_c`', answers: FEE_PAYMENT },
      venue_d: { situation: 'the fee of a build of `venue_d`', answers: FEE_PAYMENT },
      venue_e: { situation: 'the fee of a build of `venue_e`', answers: FEE_PAYMENT },
      venue_f: { situation: 'the fee of a build of `venue_f`', answers: FEE_PAYMENT },
    },
  },
  'build.may-differ-from-quote': {
    settledBy: 'A build has the numbers of the pools as they are when it is made.',
    aspects: { '': { situation: 'a build after the pool moved', answers: ['new-amounts'] } },
  },
  'auth.keys.issuing': {
    settledBy: 'Keys are issued outside of this interface.',
    aspects: { '': { situation: 'where keys come from', answers: ['outside-the-interface'] } },
  },
  'auth.missing-key': {
    settledBy: 'Quote and build return 401 without a key and for an unknown key.',
    aspects: {
      'quote-no-key': { situation: 'a quote without a key', answers: ['served', STATUS] },
      'quote-unknown-key': { situation: 'a quote with an unknown key', answers: ['served', STATUS] },
      'build-no-key': { situation: 'a build without a key', answers: ['served', STATUS] },
      'build-unknown-key': { situation: 'a build with an unknown key', answers: ['served', STATUS] },
    },
  },
} as const satisfies Readonly<Record<string, OpenPoint>>
