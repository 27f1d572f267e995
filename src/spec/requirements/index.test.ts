import { describe, expect, test } from 'vitest'
import {
  allRequirements,
  assertedAs,
  isRequirementId,
  matchRequirements,
  requirement,
  restatementsOf,
  UnknownRequirementError,
} from './index.ts'
import { SECTION_TITLES } from './sections.ts'

/** The headings of the specification. */
const HEADINGS = Object.keys(SECTION_TITLES).filter((number) => number !== '0')

/** The tables of §2 and §4: section, a prefix of the ids that cover the rows, names of the rows. */
const TABLES: readonly (readonly [section: string, idPrefix: string, fields: readonly string[]])[] = [
  [
    '2.1',
    'fees.',
    ['listedFeeBps', 'integratorFeeBps', 'partnerFeeBps', 'partnerFeeRecipient', 'totalFeeBps'],
  ],
  [
    '2.2',
    'route.',
    [
      ...['engine', 'venues', 'amountIn', 'amountOut', 'minimumReceived', 'midRate', 'priceImpactBps'],
      ...['networkFeeEth', 'slippageBps', 'executable', 'protocolFeeBps', 'quoteId', 'expiresAt'],
    ],
  ],
  ['2.2', 'hops.', ['hops', 'from', 'to', 'dex', 'dexName', 'share']],
  [
    '2.2',
    'alternatives.',
    ['alternatives', 'engine', 'label', 'amountOut', 'netAmountOut', 'gasCostOut', 'deltaBps'],
  ],
  ['2.3', 'tx.', ['tx.to', 'tx.data', 'tx.value', 'tx.allowanceTarget', 'tx.permit2', 'tx.chainId']],
  ['2.4', 'fee-transfer.', ['feeTransfer.token', 'feeTransfer.to', 'feeTransfer.amountRaw']],
  ['2.5', 'attribution.', ['buildId', 'validUntil', 'confirmations', 'attribution']],
  [
    '4.1',
    'quote.',
    [
      ...[
        'from',
        'to',
        'amount',
        'fromAddress',
        'toAddress',
        'fromDecimals',
        'toDecimals',
        'slippageBps',
        'sender',
      ],
      ...['partnerFeeBps', 'partnerFeeRecipient', 'preferEngine', 'engine', 'fromPriceUsd', 'toPriceUsd'],
    ],
  ],
  [
    '4.2',
    'build.',
    [
      ...[
        'from',
        'to',
        'amount',
        'sender',
        'fromAddress',
        'fromDecimals',
        'toAddress',
        'toDecimals',
        'slippageBps',
      ],
      ...['partnerFeeBps', 'partnerFeeRecipient', 'preferEngine', 'engine', 'fromPriceUsd', 'toPriceUsd'],
      ...['route', 'tx', 'feeTransfer', 'attribution', 'listedFeeBps', 'integratorFeeBps', 'totalFeeBps'],
    ],
  ],
  ['4.3', 'confirm.', ['buildId', 'txHash']],
]

/** The status rows of §7 and of the response table of §4.3, with the ids that must cover them. */
const STATUSES: readonly (readonly [row: string, ids: readonly string[]])[] = [
  [
    'build 400',
    [
      ...['build.bad-request.body', 'build.bad-request.invalid-address', 'build.bad-request.slippage'],
      ...['build.bad-request.fee-without-recipient', 'build.bad-request.sender', 'build.bad-request.json'],
    ],
  ],
  [
    'build 422',
    [
      'build.no-executable-route.body',
      'build.no-executable-route.no-venue',
      'build.no-executable-route.market',
    ],
  ],
  ['build 502', ['build.upstream-failure']],
  ['confirm 200', ['confirm.recorded', 'confirm.repeat.safe']],
  [
    'confirm 202',
    [
      'confirm.pending',
      'confirm.not-found',
      'confirm.depth.twelve',
      'confirm.block-changed',
      'confirm.retry-after',
    ],
  ],
  [
    'confirm 400',
    ['confirm.bad-request.json', 'confirm.bad-request.build-id', 'confirm.bad-request.tx-hash'],
  ],
  ['confirm 401', ['confirm.unauthorized']],
  ['confirm 404', ['confirm.build-not-found']],
  ['confirm 409', ['confirm.conflict.build', 'confirm.conflict.transaction']],
  [
    'confirm 422',
    ['confirm.rejected.reverted', 'confirm.rejected.mismatched', 'confirm.rejected.outside-window'],
  ],
  ['confirm 429', ['confirm.budget-exceeded', 'confirm.budget.shared']],
  ['confirm 503', ['confirm.unavailable']],
  ['quote 200 without a price', ['quote.no-price.not-an-error', 'quote.no-price.null-route']],
]

/** The rows of §8. */
const LIMIT_ROWS = [
  ...[
    '`slippageBps`',
    '`partnerFeeBps`',
    'Service fee',
    'Token symbol',
    'Decimals',
    '`amount`',
    'Quote duration',
  ],
  ...['Build duration', 'Quote memoization', 'Attribution window', 'Required confirmations', 'Chain'],
]

const words = (entry: { clause: string; statement: string }) => `${entry.clause} ${entry.statement}`

describe('the catalogue covers the specification', () => {
  test.each(HEADINGS)('section %s has a requirement', (heading) => {
    expect(allRequirements().some((entry) => `${entry.section}.`.startsWith(`${heading}.`))).toBe(true)
  })

  for (const [section, idPrefix, fields] of TABLES) {
    test.each(fields)(`§${section} ${idPrefix}* speaks of the row %s`, (field) => {
      const speaking = allRequirements().filter(
        (entry) =>
          entry.section === section &&
          entry.id.includes(idPrefix) &&
          words(entry).includes(`\`${field}\``) &&
          entry.level !== 'silent',
      )
      expect(speaking.map((entry) => entry.id)).not.toEqual([])
    })
  }

  test.each(STATUSES)('the row %s is covered', (_row, ids) => {
    for (const id of ids) expect(requirement(id).level).toBe('must')
  })

  test.each(LIMIT_ROWS)('the limit %s is covered', (row) => {
    const speaking = allRequirements().filter(
      (entry) => entry.section === '8' && entry.clause.startsWith(row),
    )
    expect(speaking).not.toEqual([])
  })
})

describe('every requirement', () => {
  test('has an id of its own, in dotted lower case', () => {
    const ids = allRequirements().map((entry) => entry.id)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
    const word = '[a-z][a-z0-9]*(?:-[a-z0-9]+)*'
    expect(ids.filter((id) => !new RegExp(`^${word}(?:\\.${word}){1,3}$`).test(id))).toEqual([])
  })

  test('quotes its clause and states it in a sentence', () => {
    const wordless = allRequirements().filter(
      (entry) => entry.clause.trim() === '' || !/^['"`A-Z].*\.$/s.test(entry.statement),
    )
    expect(wordless.map((entry) => entry.id)).toEqual([])
  })

  test('gives a reason exactly when it is untestable', () => {
    const odd = allRequirements().filter(
      (entry) => (entry.level === 'untestable') !== ((entry.untestableBecause ?? '') !== ''),
    )
    expect(odd.map((entry) => entry.id)).toEqual([])
  })

  test('says why it is a convention, and what keeps it, exactly when it is one', () => {
    const odd = allRequirements().filter(
      ({ level, convention }) =>
        (level === 'convention') !== (convention !== undefined && convention.accepts.length > 0),
    )
    expect(odd.map((entry) => entry.id)).toEqual([])
  })

  test('names what binds the client alone as `client.…`', () => {
    const odd = allRequirements().filter(
      (entry) => (entry.subject === 'client') !== entry.id.startsWith('client.'),
    )
    expect(odd.map((entry) => entry.id)).toEqual([])
  })

  test('differs from the one that it restates only in its id, its section and its clause', () => {
    const restatements = allRequirements().filter(({ sameAs }) => sameAs !== undefined)
    expect(restatements.length).toBeGreaterThan(0)
    for (const { id, section, clause, sameAs = '', ...shared } of restatements) {
      const restated = requirement(sameAs)
      expect(restated).toEqual({ ...shared, id: sameAs, section: restated.section, clause: restated.clause })
      expect([restated.section, restated.clause]).not.toEqual([section, clause])
      expect(assertedAs(id)).toBe(sameAs)
      expect(restatementsOf(restated.id).map((each) => each.id)).toContain(id)
    }
  })

  test('must be exercised at least once', () => {
    expect(allRequirements().filter((entry) => !Number.isInteger(entry.floor) || entry.floor < 1)).toEqual([])
  })
})

describe('looking up', () => {
  test('by id', () => {
    expect(requirement('quote.slippage.range').section).toBe('4.1')
    expect(isRequirementId('quote.slippage.range')).toBe(true)
    expect(isRequirementId('quote.slippage')).toBe(false)
  })

  test('by section, with all that lies below it', () => {
    const four = matchRequirements('4').map((entry) => entry.section)
    expect(new Set(four)).toEqual(new Set(['4', '4.1', '4.2', '4.3']))
    expect(new Set(matchRequirements('§4.2').map((entry) => entry.section))).toEqual(new Set(['4.2']))
  })

  test('by glob over ids', () => {
    expect(matchRequirements('confirm.match.*').map((entry) => entry.id)).toContain('confirm.match.sender')
    expect(matchRequirements('*').length).toBe(allRequirements().length)
    // Consecutive stars count as one, without a search through all ways to split the id among them.
    expect(matchRequirements(`confirm${'*'.repeat(60)}sender`)).toHaveLength(1)
    expect(() => matchRequirements(`${'*'.repeat(60)}zzz`)).toThrow(UnknownRequirementError)
    expect(matchRequirements('tx.to').map((entry) => entry.id)).toEqual(['tx.to'])
  })

  test.each(['quote.slipage.range', 'confirm.zzz*', '12', '4.9', 'tx_to', ''])(
    'error: UnknownRequirementError for %j',
    (pattern) => {
      expect(() => matchRequirements(pattern)).toThrow(UnknownRequirementError)
      expect(() => requirement(pattern)).toThrow(UnknownRequirementError)
    },
  )
})
