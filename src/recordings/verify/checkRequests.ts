import { ACCOUNTS } from '../../fixtures/accounts.ts'
import type { Step, StepOf } from '../../simulation/steps/steps.ts'
import { parseJson } from '../../spec/json.ts'
import { PARTNER_REPORT } from '../../spec/partnerReport.ts'
import { shown } from '../execute/differences.ts'
import { type DraftOf, type Drafts, only, positioned } from '../format/drafts.ts'
import { check } from './errors.ts'
import { QUOTE_PATH } from './judgeRecording.ts'
import { BUILD_PATH, CONFIRM_PATH } from './recordedReports.ts'

type Http = DraftOf<'http'>
type World = DraftOf<'genesis'>['world']
type Members = readonly (readonly [name: string, value: unknown])[]

/** Describes what earlier steps named: hashes of transactions, ids of builds. */
export interface Named {
  readonly transactions: Map<string, string>
  readonly builds: Map<string, string>
}

/**
 * Checks that each exchange belongs to the step that was under way when it was made.
 *
 * @throws {ContradictionError}
 */
export function checkPlaces(entries: Drafts): void {
  let underWay = 0
  for (const [at, entry] of entries.entries()) {
    if (entry.kind === 'step' && !entry.path.includes('/')) underWay += 1
    if (entry.kind !== 'http') continue
    const [outermost, ...inner] = entry.step.split('/')
    const isUnderWay = outermost === String(underWay)
    check(isUnderWay, at, 'step', `${entry.step}, and step ${underWay} was under way`)
    const isNested = inner.length > 0
    check(isNested || entry.within === null, at, 'within', 'only steps within a request make requests in it')
  }
}

/**
 * Checks that every answered report of a transaction, and nothing else, has what the judges must know of it: a report without
 * would be judged by nobody.
 *
 * @throws {ContradictionError}
 */
export function checkReported(entries: Drafts): void {
  const requests = new Map(positioned(entries, 'http').map(([at, http]) => [http.id, [at, http] as const]))
  const reported = new Set<number>()
  for (const [at, { http, lost }] of positioned(entries, 'report')) {
    const { path, answer = null } = requests.get(http)?.[1] ?? {}
    const isReport = path === CONFIRM_PATH && !(reported.has(http) && !lost)
    check(isReport, at, 'http', `request ${http} is no report, or judged before`)
    // One that failed may have been recorded all the same: then it counts a second time, without its response.
    const isDoubted = lost && answer?.status === 503
    check(isDoubted || lost === (answer === null), at, 'lost', `${lost}, and the request says otherwise`)
    if (!isDoubted) reported.add(http)
  }
  // The reports that spend a budget are of no build.
  const ops = new Map(positioned(entries, 'step').map(([, { path, op }]) => [path, op]))
  for (const [at, { id, step }] of requests.values()) {
    const op = ops.get(step)
    const isMissing = (op === 'confirm' || op === 'race') && !reported.has(id)
    check(!isMissing, at, 'id', `no entry of kind report says what was true when request ${id} was made`)
  }
}

/**
 * Checks that a step has made the requests that it describes: as many, to the endpoint, with these parameters and no others.
 *
 * @param isWhole whether the step ended.
 * @throws {ContradictionError}
 */
export function checkRequests(
  entries: Drafts,
  step: Step,
  requests: readonly (readonly [at: number, http: Http])[],
  named: Named,
  isWhole: { readonly at: number } | null,
): void {
  const [least, most] = countOf(step)
  const isTooMany = requests.length > most
  const at = isWhole?.at ?? requests.at(-1)?.[0] ?? 0
  const isAsMany = !isTooMany && (isWhole === null || requests.length >= least)
  check(isAsMany, at, 'op', `${requests.length} requests, and the script says ${least}`)
  const [, { world }] = only(entries, 'genesis')
  for (const [index, [place, http]] of requests.entries())
    checkRequest(place, expectedOf(step, index, world, named), http)
}

function countOf(step: Step): readonly [least: number, most: number] {
  if (step.op === 'race') return [step.reports.length, step.reports.length]
  if (step.op === 'spend-budget') return [1, step.atMost]
  return ['quote', 'build', 'confirm', 'report'].includes(step.op) ? [1, 1] : [0, 0]
}

interface Expected {
  readonly method: string
  readonly path: string
  readonly query: Members
  /** Null: it may be any, or there is none. */
  readonly body: Members | null
}

function expectedOf(step: Step, index: number, world: World, named: Named): Expected {
  switch (step.op) {
    case 'quote':
      return { method: 'GET', path: QUOTE_PATH, query: withTokens(world, step.query), body: null }
    case 'build': {
      const body = new Map([...withTokens(world, step.body), ['sender', addressOf(step.sender)]])
      return { method: 'POST', path: BUILD_PATH, query: [], body: [...body] }
    }
    case 'confirm':
      return reportOf(step, named)
    case 'race':
      return reportOf(step.reports[index] as StepOf<'race'>['reports'][number], named)
    case 'report':
      return { method: 'GET', path: PARTNER_REPORT.path, query: [], body: null }
    default:
      return { method: 'POST', path: CONFIRM_PATH, query: [], body: null }
  }
}

function reportOf({ build, tx }: Pick<StepOf<'confirm'>, 'build' | 'tx'>, named: Named): Expected {
  const body = [
    ['buildId', named.builds.get(build)],
    ['txHash', named.transactions.get(tx)],
  ] as const
  return { method: 'POST', path: CONFIRM_PATH, query: [], body }
}

/** Returns the parameters, with address and decimals of tokens outside the registry where the script leaves them out. */
function withTokens({ otherTokens }: World, request: StepOf<'build'>['body']): Members {
  const outside = (['from', 'to'] as const).flatMap((side) => {
    const token = otherTokens.find(({ symbol }) => symbol === request[side])
    if (token === undefined) return []
    return [[`${side}Address`, token.address] as const, [`${side}Decimals`, token.decimals] as const]
  })
  return Object.entries({ ...Object.fromEntries(outside), ...request })
}

function addressOf(account: string): string | undefined {
  return Object.entries(ACCOUNTS).find(([name]) => name === account)?.[1].address
}

function checkRequest(at: number, expected: Expected, { method, path, body }: Http): void {
  const checkSame = (field: string, actual: unknown, right: unknown): void =>
    check(actual === right, at, field, `${shown(actual)}, and the script says ${shown(right)}`)
  const [, place, query = ''] = /^([^?]*)\??(.*)$/s.exec(path) ?? []
  checkSame('method', method, expected.method)
  checkSame('path', place, expected.path)
  const texts = expected.query.map(([name, value]) => [name, String(value)] as const)
  checkMembers(at, 'path', [...new URLSearchParams(query)], texts)
  if (expected.body === null) return
  const members = parseJson(body ?? '')
  // Written twice, a member would be one thing here, and another to the service.
  checkSame('body', body, JSON.stringify(members))
  checkMembers(at, 'body', Object.entries(members ?? {}), expected.body)
}

function checkMembers(at: number, field: string, sent: Members, right: Members): void {
  const texts = (members: Members) => members.map(([name, value]) => JSON.stringify([name, plain(value)]))
  const [actual, expected] = [texts(sent), texts(right)]
  const [first] = actual.filter((each, index) => each !== expected[index])
  const isSame = first === undefined && actual.length === expected.length
  const missing = expected[actual.length]
  check(isSame, at, field, `${first ?? 'nothing'}, and the script says ${missing ?? expected.join(', ')}`)
}

/** Addresses are written in any case. */
function plain(value: unknown): unknown {
  return typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value) ? value.toLowerCase() : value
}
