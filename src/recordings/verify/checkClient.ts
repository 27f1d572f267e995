import type { Hex } from 'viem'
import { plumblineVersion } from '../../host/version.ts'
import type { ClientIntent } from '../../oracles/index.ts'
import { senderOf } from '../../sandbox/sender.ts'
import type { Goal } from '../../spec/goal.ts'
import { isRequirementId, requirement } from '../../spec/requirements/index.ts'
import { resolveBlob } from '../format/blobs.ts'
import { canonicalJson } from '../format/canonical.ts'
import { type DraftOf, type Drafts, only, positioned } from '../format/drafts.ts'
import type { Recording } from '../format/schema.ts'
import { hasClient } from './checkOutside.ts'
import { check } from './errors.ts'

type Client = DraftOf<'client'>
type World = DraftOf<'genesis'>['world']

/** The task of a case for clients: its goal in the tokens of a world, without the time limit, and the required outcome. */
export interface ClientTask {
  goalIn(world: World): Omit<Goal, 'timeoutS'>
  readonly intent: ClientIntent
}

/** Returns the task of the case with this id; null: this version has no such case. */
export type ClientTaskOf = (id: string) => Promise<ClientTask | null>

const SEND = 'eth_sendRawTransaction'

/**
 * Checks that the entry of a client is complete, so that nothing it did escapes the judges: it must have every request to the
 * service, in order, and every transaction of the client's account after the first request.
 *
 * @param taskOf the tasks of this version's cases; a recording by this version must be of one of them. Null: not checked.
 * @throws {ContradictionError} the entry is incomplete, or contradicts the rest of the recording.
 */
export async function checkClient({ entries, blobs }: Recording, taskOf: ClientTaskOf | null): Promise<void> {
  const [outcomeAt, outcome] = only(entries, 'outcome')
  const [first, second] = positioned(entries, 'client')
  const isJudged = outcome.case?.status === 'pass' || outcome.case?.status === 'observed'
  check(
    first !== undefined || !hasClient(entries) || !isJudged,
    outcomeAt,
    'case',
    'nothing is recorded of the client',
  )
  if (first === undefined) return
  const [at, client] = first
  check(second === undefined, second?.[0] ?? at, 'kind', 'a case has one client')
  check(hasClient(entries), at, 'kind', 'the run had no client')
  checkRequests(at, client, entries)
  await checkTransactions(at, client, { entries, blobs })
  await checkTask(at, client, entries, taskOf)
}

/** Checks that the client sent every request that the service received, in order. Requests that the case withheld are written out. */
function checkRequests(at: number, { requests }: Client, entries: Drafts): void {
  const named = requests.flatMap(({ http }) => (http === null ? [] : [http]))
  const https = positioned(entries, 'http').map(([, http]) => http)
  const all = https.map(({ id }) => id)
  const isAll = named.join() === all.join()
  check(isAll, at, 'requests', `they are requests ${named.join(', ')}, and ${all.join(', ')} are recorded`)
  let sentMs = Number.NEGATIVE_INFINITY
  for (const [index, { http: id, asked, atMs, got }] of requests.entries()) {
    const place = `requests.${index}`
    check((id === null) === (asked !== null), at, `${place}.asked`, 'a request is written once')
    const http = id === null ? undefined : https[id]
    const isAnswered = got === null || got.instead !== null || http?.answer != null
    check(isAnswered, at, `${place}.got`, 'nobody answered it')
    const isInOrder = atMs >= sentMs && atMs <= (http?.atMs ?? atMs)
    check(isInOrder, at, `${place}.atMs`, 'it was sent after a later one, or after the service got it')
    const isAfter = got === null || got.atMs >= (http?.answer?.atMs ?? atMs)
    check(isAfter, at, `${place}.got.atMs`, 'it came before the service had answered')
    sentMs = atMs
  }
}

async function checkTransactions(
  at: number,
  { account, transactions }: Client,
  { entries, blobs }: Pick<Recording, 'entries' | 'blobs'>,
): Promise<void> {
  let sentMs = Number.NEGATIVE_INFINITY
  for (const [index, { raw, from, atMs }] of transactions.entries()) {
    const signer = await signerOf(raw as Hex)
    check(signer === from, at, `transactions.${index}.from`, `${from} is recorded, ${signer} signed it`)
    check(atMs >= sentMs, at, `transactions.${index}.atMs`, 'it was sent before the one above it')
    sentMs = atMs
  }
  const listed = new Set(transactions.map(({ raw }) => raw))
  check(listed.size === transactions.length, at, 'transactions', 'one is there twice')
  // The case prepares transactions of the account before the first request; if there is none, no transaction counts.
  const begunAt = positioned(entries, 'http')[0]?.[0] ?? entries.length
  const sent = new Set<string>()
  for (const [place, { method, params }] of positioned(entries, 'control')) {
    if (method !== SEND || place < begunAt) continue
    const [raw] = resolveBlob(blobs, params) as readonly unknown[]
    if ((await signerOf(raw as Hex)) === account) sent.add(String(raw).toLowerCase())
  }
  const missing = [...sent].find((raw) => !listed.has(raw))
  check(missing === undefined, at, 'transactions', `${missing} was sent, and is none of them`)
}

const signerOf = (raw: Hex): Promise<string> => senderOf(raw).catch(() => 'nobody')

async function checkTask(
  at: number,
  { goal, intent }: Client,
  entries: Drafts,
  taskOf: ClientTaskOf | null,
): Promise<void> {
  const isOfThisVersion = only(entries, 'provenance')[1].plumbline === plumblineVersion()
  if (taskOf === null || !isOfThisVersion) return
  const [scriptAt, { name }] = only(entries, 'script')
  const task = await taskOf(name)
  check(task !== null, scriptAt, 'name', `${name} is no case for clients of this version`)
  const { timeoutS: _, ...asked } = goal
  const right = task.goalIn(only(entries, 'genesis')[1].world)
  const isGoal = canonicalJson(lower(asked)) === canonicalJson(lower(right))
  check(isGoal, at, 'goal', `it is not what ${name} asks for`)
  const isIntent = canonicalJson(intent) === canonicalJson(task.intent)
  check(isIntent, at, 'intent', `it is not what ${name} demands`)
}

/**
 * Checks that the recorded result of a client's case agrees with the verdicts.
 *
 * @param judged the verdicts on the recording.
 * @throws {ContradictionError} it does not.
 */
export function checkClientOutcome(entries: Drafts, judged: readonly DraftOf<'verdicts'>[]): void {
  if (positioned(entries, 'client').length === 0) return
  const verdicts = judged.find(({ http }) => http === null)?.verdicts ?? []
  const failed = verdicts.flatMap(({ requirement: id, outcome }) =>
    outcome === 'fail' && isOfClients(id) ? [id] : [],
  )
  const [at, { case: ended }] = only(entries, 'outcome')
  const { status, requirement: id = null } = ended ?? {}
  const right =
    failed.length > 0
      ? status === 'fail' && id !== null && failed.includes(id)
      : status !== 'fail' || id === null || !isOfClients(id)
  const problem = `${id ?? status} is recorded, and the client breaks ${failed.join(', ') || 'nothing'}`
  check(right, at, 'case', problem)
}

const isOfClients = (id: string) => isRequirementId(id) && requirement(id).subject === 'client'

/** Ignores the letter case of addresses. */
const lower = (goal: object): unknown => JSON.parse(JSON.stringify(goal).toLowerCase())
