import type { Case } from '../../src/runner/case.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'
import { insist, insistStatus, note, sightOf } from '../support/expect.ts'
import { deepSwap, insistRecorded, PLAIN, report, reportable } from '../support/reports.ts'

const NOBODY = '00000000-0000-4000-8000-000000000000'

/** Reports that are wrong in one thing: each with a corrected twin, which is recorded. */
const MALFORMED: readonly {
  readonly name: string
  readonly requirement: RequirementId
  readonly body: (buildId: string, txHash: string) => unknown
}[] = [
  { name: 'json', requirement: 'confirm.bad-request.json', body: (buildId) => `{"buildId":"${buildId}",` },
  { name: 'empty', requirement: 'confirm.bad-request.json', body: () => '' },
  { name: 'build-id.absent', requirement: 'confirm.bad-request.build-id', body: (_, txHash) => ({ txHash }) },
  {
    name: 'build-id.word',
    requirement: 'confirm.bad-request.build-id',
    body: (_, txHash) => ({ buildId: 'mine', txHash }),
  },
  {
    name: 'build-id.short',
    requirement: 'confirm.bad-request.build-id',
    body: (buildId, txHash) => ({ buildId: buildId.slice(1), txHash }),
  },
  {
    name: 'build-id.number',
    requirement: 'confirm.bad-request.build-id',
    body: (_, txHash) => ({ buildId: 7, txHash }),
  },
  { name: 'tx-hash.absent', requirement: 'confirm.bad-request.tx-hash', body: (buildId) => ({ buildId }) },
  {
    name: 'tx-hash.short',
    requirement: 'confirm.bad-request.tx-hash',
    body: (buildId, txHash) => ({ buildId, txHash: txHash.slice(0, -1) }),
  },
  {
    name: 'tx-hash.without-0x',
    requirement: 'confirm.bad-request.tx-hash',
    body: (buildId, txHash) => ({ buildId, txHash: txHash.slice(2) }),
  },
  {
    name: 'tx-hash.not-hex',
    requirement: 'confirm.bad-request.tx-hash',
    body: (buildId, txHash) => ({ buildId, txHash: `${txHash.slice(0, -1)}g` }),
  },
]
const malformed: readonly Case<never>[] = MALFORMED.map(({ name, requirement, body }) => ({
  id: `confirm.refuses.${name}`,
  title: `confirm answers 400 to a report with a bad ${name}, and takes the same put right`,
  requirements: [requirement],
  uses: [],
  run: async (environment) => {
    const { buildId, txHash, insistTaken } = await reportable(environment)
    insistStatus(requirement, await environment.client().confirm(body(buildId, txHash)), 400)
    await insistTaken(requirement)
    return { exercised: 1 }
  },
}))

/** Who reports: nobody, somebody unknown, another partner, the legacy key; then the right one. */
const keys: readonly Case<never>[] = [
  { name: 'missing', secret: null },
  { name: 'unknown', secret: 'nobody-was-ever-issued-this-key-000000000000000000000000' },
].map(({ name, secret }) => ({
  id: `confirm.unauthorized.key-${name}`,
  title: `a report with a key that is ${name} is 401, and credits nothing`,
  requirements: ['confirm.unauthorized', 'auth.confirm.unauthorized'],
  uses: [],
  run: async (environment) => {
    const { buildId, txHash, insistTaken } = await reportable(environment)
    const stranger = secret === null ? environment.client(null) : environment.clientWithSecret(secret)
    const answer = await stranger.confirm({ buildId, txHash })
    insistStatus(['confirm.unauthorized', 'auth.confirm.unauthorized'], answer, 401)
    await insistTaken('confirm.unauthorized')
    return { exercised: 1 }
  },
}))

/** Headers that carry no key, whoever reads them. */
const NO_KEYS = { 'another-scheme': 'Basic bm9ib2R5OnNlY3JldA==', 'no-key': 'Bearer', 'no-scheme': 'nobody' }
const headers: readonly Case<never>[] = Object.entries(NO_KEYS).map(([name, authorization]) => ({
  id: `confirm.unauthorized.header.${name}`,
  title: `a report with the header Authorization: ${authorization} is 401, and credits nothing`,
  requirements: ['confirm.unauthorized', 'auth.confirm.unauthorized'],
  uses: [],
  run: async (environment) => {
    const { buildId, txHash, insistTaken } = await reportable(environment)
    const answer = await environment.client(null).send({
      method: 'POST',
      path: '/api/v1/swap/confirm',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ buildId, txHash }),
    })
    insistStatus(['confirm.unauthorized', 'auth.confirm.unauthorized'], answer, 401)
    await insistTaken('confirm.unauthorized')
    return { exercised: 1 }
  },
}))

const otherKey: Case<never> = {
  id: 'confirm.build-not-found.other-key',
  title: "a build of key one reported with key two is 404, and is key one's to report",
  requirements: ['confirm.build-not-found', 'auth.confirm.same-key', 'confirm.same-key'],
  uses: [],
  run: async (environment) => {
    const { buildId, txHash, insistTaken } = await reportable(environment)
    const other = await environment.client('two').confirm({ buildId, txHash })
    insistStatus(['auth.confirm.same-key', 'confirm.build-not-found'], other, 404)
    await insistTaken('confirm.same-key')
    return { exercised: 2 }
  },
}

const unknownBuild: Case<never> = {
  id: 'confirm.build-not-found.unknown',
  title: 'a build that nobody made is 404, and the one that was handed out is found',
  requirements: ['confirm.build-not-found', 'confirm.build-id.from-attribution'],
  uses: [],
  run: async (environment) => {
    const { txHash, insistTaken } = await reportable(environment)
    const answer = await environment.client().confirm({ buildId: NOBODY, txHash })
    insistStatus('confirm.build-not-found', answer, 404)
    await insistTaken('confirm.build-id.from-attribution')
    return { exercised: 1 }
  },
}

const legacy: Case<'legacyKey'> = {
  id: 'confirm.legacy-key',
  title: 'what confirm answers to the legacy key',
  requirements: ['auth.legacy-confirm', 'confirm.build-id.from-attribution'],
  uses: ['legacyKey'],
  run: async (environment) => {
    const { buildId, txHash, insistTaken } = await reportable(environment)
    const answer = await environment.client('legacy').confirm({ buildId, txHash })
    note('auth.legacy-confirm', answer.status)
    await insistTaken('confirm.build-id.from-attribution')
    return { exercised: 1 }
  },
}

const conflicts: readonly Case<'control'>[] = [
  {
    id: 'confirm.conflict.build',
    title: 'another transaction for a build that has one is 409; the first stays recorded',
    requirements: ['confirm.conflict.build', 'confirm.repeat.safe'],
    uses: ['control'],
    run: async (environment) => {
      const first = await deepSwap(environment)
      const second = await deepSwap(environment)
      insistRecorded('confirm.recorded', await report(environment, first.build, first.swap.hash))
      insistStatus('confirm.conflict.build', await report(environment, first.build, second.swap.hash), 409)
      const again = await report(environment, first.build, first.swap.hash)
      const { recorded } = (again.json ?? {}) as { recorded?: unknown }
      insist('confirm.repeat.safe', again.status === 200 && recorded === true, '200 recorded', sightOf(again))
      return { exercised: 1 }
    },
  },
  {
    id: 'confirm.conflict.transaction',
    title: 'a transaction that another build has is 409; the other build can have its own',
    requirements: ['confirm.conflict.transaction'],
    uses: ['control'],
    run: async (environment) => {
      const first = await deepSwap(environment)
      const second = await deepSwap(environment)
      insistRecorded('confirm.recorded', await report(environment, first.build, first.swap.hash))
      insistStatus(
        'confirm.conflict.transaction',
        await report(environment, second.build, first.swap.hash),
        409,
      )
      insistRecorded('confirm.recorded', await report(environment, second.build, second.swap.hash))
      return { exercised: 1 }
    },
  },
]

/** Far more reports than any budget of a minute that a partner could be given and the suite would wait for. */
const MOST_REPORTS = 2_000
const budget: Case<'control' | 'spareKeys'> = {
  id: 'confirm.budget',
  title:
    'reports beyond the budget are 429, those of another partner are not, and later they are served again',
  requirements: ['confirm.budget-exceeded', 'confirm.budget.size'],
  uses: ['control', 'spareKeys'],
  run: async (environment) => {
    // A partner of its own, so that no other case meets its empty budget.
    const { build, swap } = await deepSwap(environment, 'alice', PLAIN, 'retiring')
    const unknown = { buildId: NOBODY, txHash: swap.hash }
    const spender = environment.client('retiring', 'none')
    let served = 0
    let answer = await spender.confirm(unknown)
    while (answer.status !== 429 && served < MOST_REPORTS) {
      served += 1
      answer = await spender.confirm(unknown)
    }
    insistStatus('confirm.budget-exceeded', answer, 429)
    const other = await environment.client('two', 'none').confirm(unknown)
    insist('confirm.budget-exceeded', other.status !== 429, 'a budget of its own for another partner', 429)
    note('confirm.budget.size', 'bounded; full again when Retry-After says so')
    await environment.outlastBudget()
    insistRecorded('confirm.budget-exceeded', await report(environment, build, swap.hash, 'retiring'))
    return { exercised: 1, notes: [`${served} reports served before the first 429`] }
  },
}

/** §7: the errors of confirm that do not depend on the chain. */
export const confirmRefusals: readonly Case[] = [
  ...malformed,
  ...keys,
  ...headers,
  otherKey,
  unknownBuild,
  legacy,
  ...conflicts,
  budget,
]
