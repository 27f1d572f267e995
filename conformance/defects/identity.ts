import { PARTNER_KEYS } from '../../src/fixtures/partners.ts'
import { type Defect, defect, defectTable } from '../../src/runner/proof/defect.ts'
import type { ServiceSeams } from '../../src/service/testing.ts'
import { changeStore, changeTransaction } from './helpers/ports.ts'
import {
  answerOf,
  type Endpoint,
  type Fields,
  fieldsOf,
  isFor,
  jsonOf,
  refuse,
  withFields,
  wrapService,
} from './helpers/wire.ts'

/** Returns a number in hex as most libraries print it. */
const withoutZeros = (hex: string): string => hex.replace(/^0x0+(?=.)/, '0x')

const KEYS = Object.values(PARTNER_KEYS).map(({ secret }) => secret)

/** Returns a lookup of keys that mistakes another text for a key. */
const keysTakenFor = (isTaken: (sent: string, key: string) => boolean): ServiceSeams =>
  wrapService((inject) => async (request) => {
    const sent = /^Bearer (.{8,})$/.exec(request.headers.authorization ?? '')?.[1]
    const key = sent !== undefined && KEYS.find((one) => isTaken(sent, one))
    if (!key) return inject(request)
    return inject({ ...request, headers: { ...request.headers, authorization: `Bearer ${key}` } })
  })

/** Reads the fields of reports in another way before they are checked. */
const reportsReadAs = (read: (fields: Fields) => Fields): ServiceSeams =>
  wrapService((inject) => (request) => {
    const fields = fieldsOf(request)
    if (!isFor('confirm', request) || Object.keys(fields).length === 0) return inject(request)
    return inject(withFields(request, { ...fields, ...read(fields) }))
  })

/** Compares a report with the recorded one as text: finds or overlooks a conflict wrongly if the texts differ. */
const comparedAsText = (
  field: 'buildId' | 'txHash',
  mistake: { readonly status: 200 | 409; readonly made: 200 | 409; readonly body: object },
) =>
  wrapService((inject) => {
    const recorded = new Map<string, string>()
    return async (request) => {
      const answer = await inject(request)
      if (!isFor('confirm', request)) return answer
      const sent = String(fieldsOf(request)[field])
      const known = recorded.get(sent.toLowerCase())
      if (answer.statusCode === 200 && known === undefined) recorded.set(sent.toLowerCase(), sent)
      const isMistaken = known !== undefined && known !== sent && answer.statusCode === mistake.status
      return isMistaken ? answerOf(mistake.made, mistake.body) : answer
    }
  })
const CREDITED = { status: 409, made: 200, body: { recorded: true, alreadyRecorded: false } } as const
const CONFLICT = { status: 200, made: 409, body: { error: 'already attributed elsewhere' } } as const

/** Returns a service that answers some reports only from its memory of recorded reports. */
const remembering = (isKnown: (recorded: Fields, report: Fields) => boolean) =>
  wrapService((inject) => {
    const recorded: Fields[] = []
    return async (request) => {
      if (!isFor('confirm', request)) return inject(request)
      const report = fieldsOf(request)
      if (recorded.some((one) => isKnown(one, report)))
        return answerOf(200, { recorded: true, alreadyRecorded: true })
      const answer = await inject(request)
      if (answer.statusCode === 200) recorded.push(report)
      return answer
    }
  })

/** An address without a checksum. */
const IN_LOWER_CASE = /^0x(?=.*[a-f])[0-9a-f]{40}$/
const inLowerCaseRefused = ([endpoint, field]: readonly [endpoint: Endpoint, field: string]) =>
  refuse(endpoint, (fields) => IN_LOWER_CASE.test(String(fields[field])))

const bytesIn = (hex: string | null | undefined) => hex ?? '0x'

/** Mistakes in comparing hashes, ids, keys and transactions. */
export const identityDefects: readonly Defect[] = [
  defect(
    'identity.hash-repeated-in-other-case-409',
    'confirm.tx-hash.of-swap',
    'a recorded report repeated with the hash in other letter case is 409',
    comparedAsText('txHash', CONFLICT),
  ),
  defect(
    'identity.hash-in-other-case-is-another',
    'confirm.conflict.transaction',
    'a transaction is credited to a second build when its hash is in other letter case',
    comparedAsText('txHash', CREDITED),
  ),
  defect(
    'identity.build-in-other-case-is-another',
    'confirm.conflict.build',
    'a second transaction is credited to a build when its id is in other letter case',
    comparedAsText('buildId', CREDITED),
  ),
  ...defectTable(inLowerCaseRefused, {
    'identity.lower-case.build-sender': [
      'build.sender.valid',
      'a build whose sender is in lower case is refused',
      ['build', 'sender'],
    ],
    'identity.lower-case.build-recipient': [
      'build.partner-fee-recipient.address',
      'a build whose partnerFeeRecipient is in lower case is refused',
      ['build', 'partnerFeeRecipient'],
    ],
    'identity.lower-case.build-token-sold': [
      'build.unknown-token.same-rules',
      'a build whose fromAddress is in lower case is refused',
      ['build', 'fromAddress'],
    ],
    'identity.lower-case.build-token-bought': [
      'build.unknown-token.same-rules',
      'a build whose toAddress is in lower case is refused',
      ['build', 'toAddress'],
    ],
    'identity.lower-case.quote-sender': [
      'quote.sender.accepted',
      'a quote whose sender is in lower case is refused',
      ['quote', 'sender'],
    ],
    'identity.lower-case.quote-recipient': [
      'quote.partner-fee-recipient.address',
      'a quote whose partnerFeeRecipient is in lower case is refused',
      ['quote', 'partnerFeeRecipient'],
    ],
    'identity.lower-case.quote-token': [
      'quote.unknown-token.priced',
      'a quote whose fromAddress is in lower case is refused, where the registry lacks the token',
      ['quote', 'fromAddress'],
    ],
  }),
  defect(
    'identity.sender-as-text',
    'confirm.records',
    'the sender of the request is compared as text with the checksummed one of the transaction',
    wrapService((inject) => {
      const unmatched = new Set<unknown>()
      return async (request) => {
        if (isFor('confirm', request) && unmatched.has(fieldsOf(request).buildId))
          return answerOf(422, { error: 'the sender differs' })
        const answer = await inject(request)
        if (isFor('build', request) && IN_LOWER_CASE.test(String(fieldsOf(request).sender)))
          unmatched.add(jsonOf(answer)?.attribution?.buildId)
        return answer
      }
    }),
  ),
  ...defectTable(remembering, {
    'identity.recorded-for-any-key': [
      'auth.confirm.same-key',
      'a recorded report is 200 with every key',
      (recorded, report) => recorded.buildId === report.buildId && recorded.txHash === report.txHash,
    ],
  }),
  ...defectTable(keysTakenFor, {
    'identity.key-shortened': [
      'confirm.unauthorized',
      'a key without its last characters is accepted',
      (sent, key) => key.startsWith(sent),
    ],
    'identity.key-by-its-first-half': [
      'confirm.unauthorized',
      'only the first half of a key is compared',
      (sent, key) => sent.slice(0, key.length / 2) === key.slice(0, key.length / 2),
    ],
    'identity.key-in-other-case': [
      'auth.key.letter-case',
      'a key in other letter case is accepted',
      (sent, key) => sent.toLowerCase() === key.toLowerCase(),
    ],
    'identity.key-lengthened': [
      'confirm.unauthorized',
      'a key with further characters is accepted',
      (sent, key) => sent.startsWith(key),
    ],
  }),
  defect(
    'identity.sender-as-number',
    'confirm.recorded',
    'the sender of a build is saved as a number, and its leading zeros are lost',
    changeStore((store) => ({
      insertBuild: (build) => store.insertBuild({ ...build, sender: withoutZeros(build.sender) }),
    })),
  ),
  ...defectTable(reportsReadAs, {
    'identity.hash-as-number': [
      'confirm.recorded',
      'a txHash is read as a number, and its leading zeros are lost',
      ({ txHash }) => (/^0x[0-9a-f]{64}$/.test(`${txHash}`) ? { txHash: withoutZeros(`${txHash}`) } : {}),
    ],
    'identity.hash-cut': [
      'confirm.bad-request.tx-hash',
      'a txHash with further digits is cut to 32 bytes',
      ({ txHash }) => (typeof txHash === 'string' ? { txHash: txHash.slice(0, 66) } : {}),
    ],
    'identity.build-id-cut': [
      'confirm.bad-request.build-id',
      'a buildId with further characters is cut to a UUID',
      ({ buildId }) => (typeof buildId === 'string' ? { buildId: buildId.slice(0, 36) } : {}),
    ],
  }),
  ...defectTable(changeTransaction, {
    'identity.calldata-appended': [
      'confirm.match.calldata',
      'calldata with bytes appended counts as that of the build',
      ({ input }, { calldata }) => (bytesIn(input).startsWith(calldata) ? { input: calldata } : {}),
    ],
    'identity.calldata-cut': [
      'confirm.match.calldata',
      'calldata that lacks its last bytes counts as that of the build',
      ({ input }, { calldata }) =>
        input !== '0x' && calldata.startsWith(bytesIn(input)) ? { input: calldata } : {},
    ],
    'identity.calldata-by-length': [
      'confirm.match.calldata',
      'calldata of the same function and length counts as that of the build',
      ({ input }, { calldata }) =>
        bytesIn(input).length === calldata.length && input?.slice(0, 10) === calldata.slice(0, 10)
          ? { input: calldata }
          : {},
    ],
    'identity.value-at-most': [
      'confirm.match.value',
      'a smaller native value than that of the build is accepted',
      ({ value }, { valueRaw }) =>
        BigInt(value ?? 0) < valueRaw ? { value: `0x${valueRaw.toString(16)}` } : {},
    ],
    'identity.value-beside-a-token': [
      'confirm.match.value',
      'the native value is not compared where the build has none',
      (_transaction, { valueRaw }) => (valueRaw === 0n ? { value: '0x0' } : {}),
    ],
    'identity.legacy-transactions-refused': [
      'confirm.match.gas-price-free',
      'a transaction of type 0 is a mismatch',
      ({ type }) => (type === '0x0' ? { input: '0x' } : {}),
    ],
    'identity.access-lists-refused': [
      'confirm.match.gas-price-free',
      'a transaction of type 1 is a mismatch',
      ({ type }) => (type === '0x1' ? { input: '0x' } : {}),
    ],
    'identity.value-as-text': [
      'confirm.records',
      'the native value is compared as text, so that 0x0 is not 0, and swaps without value are 422',
      ({ value }, { valueRaw }) => (valueRaw === 0n && value === '0x0' ? { value: '0x1' } : {}),
    ],
  }),
]
