import type { Case } from '../../src/runner/cases/case.ts'
import type { SwapClient } from '../../src/targets/environment/client.ts'
import type { KeyName } from '../../src/targets/environment/environment.ts'
import { assertConvention, assumeServed } from '../support/expect.ts'
import {
  buildIdOf,
  inOtherCase,
  inUpperCase,
  PLAIN,
  Reports,
  reporting,
  TWICE,
  UNKNOWN_BUILD,
} from '../support/reports.ts'
import { execute } from '../support/swaps.ts'

/** Returns a UUID with its first dash one place further left: the same length and characters. */
const withDashMoved = (uuid: string) => uuid.replace(/(.)-/, '-$1')

/** The malformed part of a report. Each malformed report has a corrected twin, which is recorded. */
type Part = 'json' | 'build-id' | 'tx-hash'
const MALFORMED: readonly (readonly [
  name: string,
  Part,
  body: (buildId: string, txHash: string) => unknown,
])[] = [
  ['json', 'json', (buildId) => `{"buildId":"${buildId}",`],
  ['empty', 'json', () => ''],
  ['null', 'json', () => 'null'],
  ['two-objects', 'json', (buildId, txHash) => JSON.stringify({ buildId, txHash }).repeat(2)],
  ['build-id.absent', 'build-id', (_, txHash) => ({ txHash })],
  ['build-id.word', 'build-id', (_, txHash) => ({ buildId: 'mine', txHash })],
  ['build-id.short', 'build-id', (buildId, txHash) => ({ buildId: buildId.slice(1), txHash })],
  ['build-id.long', 'build-id', (buildId, txHash) => ({ buildId: `${buildId}0`, txHash })],
  ['build-id.dash-moved', 'build-id', (buildId, txHash) => ({ buildId: withDashMoved(buildId), txHash })],
  ['build-id.number', 'build-id', (_, txHash) => ({ buildId: 7, txHash })],
  ['tx-hash.absent', 'tx-hash', (buildId) => ({ buildId })],
  ['tx-hash.short', 'tx-hash', (buildId, txHash) => ({ buildId, txHash: txHash.slice(0, -1) })],
  ['tx-hash.long', 'tx-hash', (buildId, txHash) => ({ buildId, txHash: `${txHash}00` })],
  ['tx-hash.without-0x', 'tx-hash', (buildId, txHash) => ({ buildId, txHash: txHash.slice(2) })],
  ['tx-hash.not-hex', 'tx-hash', (buildId, txHash) => ({ buildId, txHash: `${txHash.slice(0, -1)}g` })],
]
const malformed: readonly Case<never>[] = MALFORMED.map(([name, part, body]) => ({
  id: `confirm.refuses.${name}`,
  title: `confirm returns 400 for a report with a bad ${name}, and accepts the corrected report`,
  requirements: [`confirm.bad-request.${part}`],
  uses: [],
  run: reporting(async (reports) => {
    const clauses = [`confirm.bad-request.${part}`] as const
    const { build, txHash } = await reports.reportable()
    const send = (client: SwapClient) => client.confirm(body(buildIdOf(build), txHash))
    await reports.send(build, txHash, { malformed: part, clauses, send })
    await reports.taken(build, txHash, ...clauses)
  }),
}))

const UNAUTHORIZED = ['confirm.unauthorized'] as const
/** Authorization headers without a valid key: malformed headers, and a well-formed one with an unknown key. */
const STRANGERS: Readonly<Record<string, string | null>> = {
  'key-missing': null,
  'key-unknown': 'Bearer nobody-was-ever-issued-this-key-000000000000000000000000',
  'header.another-scheme': 'Basic bm9ib2R5OnNlY3JldA==',
  'header.no-key': 'Bearer',
  'header.no-scheme': 'nobody',
}
const strangers: readonly Case<never>[] = Object.entries(STRANGERS).map(([name, authorization]) => ({
  id: `confirm.unauthorized.${name}`,
  title: `a report with ${authorization === null ? 'no Authorization header' : `the header Authorization: ${authorization}`} is 401, and credits nothing`,
  requirements: UNAUTHORIZED,
  uses: [],
  run: reporting(async (reports, environment) => {
    const { build, txHash } = await reports.reportable()
    const send = () =>
      environment.client(null).send({
        method: 'POST',
        path: '/api/v1/swap/confirm',
        headers: { ...(authorization && { authorization }), 'content-type': 'application/json' },
        body: JSON.stringify({ buildId: buildIdOf(build), txHash }),
      })
    await reports.send(build, txHash, { key: 'invalid', clauses: UNAUTHORIZED, send })
    await reports.taken(build, txHash, 'confirm.unauthorized')
  }),
}))

/** Keys that were never issued, derived from one that was. */
const ALTERED: readonly ((key: string) => string)[] = [
  (key) => key.slice(0, -1),
  (key) => key.slice(0, Math.ceil(key.length / 2)),
  (key) => `${key.slice(0, Math.ceil(key.length / 2))}${'0'.repeat(Math.floor(key.length / 2))}`,
  (key) => `${key}0`,
  // Not a token character, so an unanchored pattern finds the valid key before it.
  (key) => `${key}!`,
  (key) => `${key}${key}`,
]
const alteredKey: Case<never> = {
  id: 'confirm.unauthorized.key-altered',
  title: 'a report with a valid key that is cut short, made longer or right in its first half alone is 401',
  requirements: UNAUTHORIZED,
  uses: [],
  run: reporting(async (reports, environment) => {
    const { build, txHash } = await reports.reportable()
    for (const alter of ALTERED) {
      const stranger = environment.clientWithSecret(alter(environment.secret('one')))
      const send = () => stranger.confirm({ buildId: buildIdOf(build), txHash })
      await reports.send(build, txHash, { key: 'invalid', clauses: UNAUTHORIZED, send })
    }
    await reports.taken(build, txHash, 'confirm.unauthorized')
  }),
}

const keyInOtherCase: Case<never> = {
  id: 'confirm.unauthorized.key-letter-case',
  title: 'a report with a valid key in other letter case is 401',
  requirements: ['auth.key.letter-case'],
  uses: [],
  run: async (environment) => {
    const key = environment.secret('one')
    if (inOtherCase(key) === key) return { exercised: 0, notApplicable: 'the key has no letters' }
    const { build, txHash } = await new Reports(environment).reportable()
    const report = { buildId: buildIdOf(build), txHash }
    const answer = await environment.clientWithSecret(inOtherCase(key)).confirm(report)
    assertConvention('auth.key.letter-case', answer.status === 401, 'status 401', `status ${answer.status}`)
    return { exercised: 1 }
  },
}

const otherKey: Case<never> = {
  id: 'confirm.build-not-found.other-key',
  title:
    'a build of key one reported with key two is 404 before key one reports it, and not recorded afterwards',
  requirements: ['confirm.build-not-found', 'auth.confirm.same-key', 'confirm.same-key'],
  uses: [],
  run: reporting(async (reports) => {
    const { build, txHash } = await reports.reportable()
    await reports.send(build, txHash, { by: 'two', clauses: ['auth.confirm.same-key'] })
    await reports.taken(build, txHash, 'confirm.same-key')
    await reports.send(build, txHash, { by: 'two' })
  }),
}

const siblingKey: Case<'spareKeys'> = {
  id: 'confirm.build-not-found.sibling-key',
  title: 'a build reported with another key of the same partner is 404, and its own key can still report it',
  requirements: ['auth.confirm.same-key', 'confirm.build-not-found', 'confirm.same-key'],
  uses: ['spareKeys'],
  run: reporting(async (reports, environment) => {
    await environment.outlastBudget()
    const { build, txHash } = await reports.reportable('retiring')
    await reports.send(build, txHash, { by: 'successor', clauses: ['auth.confirm.same-key'] })
    await reports.taken(build, txHash, 'confirm.same-key')
  }),
}

/** UUIDs of versions 1 and 7, which also belong to no build. */
const OTHER_UUIDS = ['c232ab00-9414-11ec-b3c8-9f68deced846', '017f22e2-79b0-7cc3-98c4-dc0c0c07398f']

const unknownBuild: Case<never> = {
  id: 'confirm.build-not-found.unknown',
  title: 'an unknown build is 404, and the build that was returned is found',
  requirements: ['confirm.build-not-found', 'confirm.build-id.from-attribution'],
  uses: [],
  run: reporting(async (reports) => {
    const { build, txHash } = await reports.reportable()
    for (const unknown of [UNKNOWN_BUILD, ...OTHER_UUIDS])
      await reports.send(unknown, txHash, { clauses: ['confirm.build-not-found'] })
    await reports.taken(build, txHash, 'confirm.build-id.from-attribution')
  }),
}

const legacy: Case<'legacyKey'> = {
  id: 'confirm.legacy-key',
  title: 'the status of a report with the legacy key',
  requirements: ['auth.legacy-confirm', 'confirm.build-id.from-attribution'],
  uses: ['legacyKey'],
  run: reporting(async (reports) => {
    const { build, txHash } = await reports.reportable()
    await reports.send(build, txHash, { by: 'legacy', key: 'legacy' })
    await reports.taken(build, txHash, 'confirm.build-id.from-attribution')
  }),
}

const conflictOfBuild: Case<'control'> = {
  id: 'confirm.conflict.build',
  title:
    'the swap of a build sent again is 409 once the first is recorded; a transaction that does not match either is 409 or 422',
  requirements: ['confirm.conflict.build', 'confirm.repeat.safe', 'confirm.build-id.letter-case'],
  uses: ['control'],
  run: reporting(async (reports, environment) => {
    const [first, other] = [await reports.deepSwap(TWICE), await reports.deepSwap(PLAIN)]
    const again = await execute(environment, 'alice', first.build)
    assumeServed(again.receipt.success, 'the swap of its build reverts when it is sent again')
    await environment.control.mine(12)
    await reports.recorded(first.build, first.swap.hash)
    await reports.conflicting(first.build, again.swap.hash, 'confirm.conflict.build')
    // An id in another letter case may or may not be that of the build; in neither case may a second transaction be credited.
    await reports.send(inOtherCase(buildIdOf(first.build)), again.swap.hash)
    await reports.send(first.build, other.swap.hash)
    await reports.recorded(first.build, first.swap.hash, 'confirm.repeat.safe')
  }),
}

const conflictOfTransaction: Case<'control'> = {
  id: 'confirm.conflict.transaction',
  title:
    'a transaction that another build has is 409, or 422 where it does not match; the other build can have its own',
  requirements: ['confirm.conflict.transaction'],
  uses: ['control'],
  run: reporting(async (reports, environment) => {
    // Two equal requests have the same calldata, unless the service marks each build; then 422 conforms as well.
    const [build, twin] = [await reports.build(TWICE), await reports.build(TWICE)]
    const other = await reports.deepSwap(PLAIN)
    const { swap } = await execute(environment, 'alice', build)
    await environment.control.mine(12)
    await reports.recorded(build, swap.hash)
    await reports.send(twin, swap.hash)
    await reports.send(twin, inUpperCase(swap.hash))
    await reports.send(other.build, swap.hash)
    await reports.recorded(other.build, other.swap.hash)
    await reports.ownRecorded(twin)
  }),
}

/**
 * §7: "elsewhere" includes another key, of the same partner or another. Two equal requests have the same calldata regardless of
 * the key, so one swap matches both builds.
 */
const conflictOfTransactionAcross = <Used extends 'control' | 'spareKeys'>(
  name: string,
  whose: string,
  uses: readonly Used[],
  [first, second]: readonly [KeyName, KeyName],
): Case<'control' | Used> => ({
  id: `confirm.conflict.transaction.${name}`,
  title: `a transaction that ${whose} has is 409, or 422 where it does not match; to that key the build is 404 or 409`,
  requirements: ['confirm.conflict.transaction', 'confirm.build-not-found'],
  uses: ['control', ...uses],
  run: reporting<'control' | Used>(async (reports, environment) => {
    await environment.outlastBudget()
    const [build, twin] = [await reports.build(TWICE, first), await reports.build(TWICE, second)]
    const { swap } = await execute(environment, 'alice', build)
    await environment.control.mine(12)
    await reports.recorded(build, swap.hash)
    await reports.send(twin, swap.hash)
    // The specification does not say which comes first: 404, or 409 because another key has the transaction.
    await reports.send(build, swap.hash, { by: second })
    await reports.ownRecorded(twin)
  }),
})

/** §7: the errors of confirm that are not about the chain. */
export const confirmRefusals: readonly Case[] = [
  ...malformed,
  ...strangers,
  alteredKey,
  keyInOtherCase,
  otherKey,
  siblingKey,
  unknownBuild,
  legacy,
  conflictOfBuild,
  conflictOfTransaction,
  conflictOfTransactionAcross(
    'other-key',
    'a build of another key of the partner',
    ['spareKeys'],
    ['retiring', 'successor'],
  ),
  conflictOfTransactionAcross('other-partner', 'a build of another partner', [], ['one', 'two']),
]
