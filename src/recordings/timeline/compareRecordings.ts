import {
  byConcern,
  type Concern,
  type Difference,
  type RecordingChange,
} from '../../reporting/report/recordingChange.ts'
import type { Timeline } from '../../reporting/timeline/model.ts'
import { parseJson } from '../../spec/json.ts'
import { type DraftOf, positioned } from '../format/drafts.ts'
import type { Recording } from '../format/schema.ts'
import { differingEntries, firstDivergence } from '../replay/divergence.ts'
import { timelineOf } from './fromRecording.ts'

interface Side {
  readonly name: string
  readonly recording: Recording
}

/** Compares two recordings of one scenario: returns the first divergence and every difference, money first. */
export function compareRecordings(before: Side, after: Side): RecordingChange {
  const found = firstDivergence(before.recording, after.recording)
  const first = found && {
    entry: found.entry,
    what: found.what,
    field: found.field,
    before: found.recorded,
    after: found.replayed,
  }
  const differences =
    first === null
      ? []
      : [
          ...differ(factsOf(before.recording), factsOf(after.recording)),
          ...differ(verdictsOf(before.recording), verdictsOf(after.recording)),
          ...otherEntries(before.recording, after.recording),
        ]
  return {
    schema: 'plumbline-recording-change/1',
    before: before.name,
    after: after.name,
    first,
    differences: byConcern(differences),
  }
}

/** The facts of a recording, by place. */
type Facts = ReadonlyMap<string, { readonly concern: Concern; readonly value: string }>
type Verdicts = DraftOf<'verdicts'>
type Add = (concern: Concern, where: string, value: string) => void

function differ(before: Facts, after: Facts): readonly Difference[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((where) => {
    const [one, other] = [before.get(where), after.get(where)]
    if (one?.value === other?.value) return []
    const concern = one?.concern ?? other?.concern ?? 'other'
    return [{ concern, where, before: one?.value ?? 'nothing', after: other?.value ?? 'nothing' }]
  })
}

function factsOf(recording: Recording): Facts {
  const facts = new Map<string, { readonly concern: Concern; readonly value: string }>()
  const add: Add = (concern, where, value) => facts.set(where, { concern, value })
  addTimeline(add, timelineOf(recording))
  addResponses(add, recording)
  return facts
}

/** Returns the outcomes of every verdict of a recording. */
function verdictsOf({ entries }: Recording): Facts {
  return new Map(positioned(entries, 'verdicts').flatMap(([, each]) => [...outcomesOf(each)]))
}

/** Returns the outcomes of each requirement. Repetitions count only in the verdicts on all reports together. */
function outcomesOf({ http, verdicts }: Verdicts): Facts {
  const outcomes = new Map<string, string[]>()
  for (const { requirement, outcome } of verdicts) {
    const where = `${requirement}${http === null ? '' : `, request ${http}`}`
    const own = outcomes.get(where) ?? []
    if (http === null || !own.includes(outcome)) outcomes.set(where, [...own, outcome])
  }
  return new Map(
    [...outcomes].map(([where, all]) => [where, { concern: 'attribution', value: all.sort().join(', ') }]),
  )
}

/** Returns the entries that differ outside of responses and verdicts, which are compared member by member. */
function otherEntries(before: Recording, after: Recording): readonly Difference[] {
  return [...differingEntries(before, after)]
    .filter(({ kind, field }) => field === 'kind' || (kind !== 'verdicts' && !field.startsWith('answer')))
    .map(({ entry, kind, field, what, recorded, replayed }) => ({
      concern: kind === 'block' ? 'chain' : 'other',
      where: `entry ${entry}, ${field}: ${what}`,
      before: recorded,
      after: replayed,
    }))
}

/** Adds the calls and balance changes of transactions, and the numbers of blocks and round trips. */
function addTimeline(add: Add, { transactions, events }: Timeline): void {
  const names = new Map(transactions.map(({ hash, name }) => [hash, name]))
  for (const { name, call, valueRaw, to } of transactions) {
    add('money', `${name}: value in wei`, valueRaw)
    add('money', `${name}: to`, to ?? 'nobody')
    for (const argument of call?.arguments ?? []) add('money', `${name}: ${argument.name}`, argument.value)
  }
  const blocks = events.flatMap((event) => (event.kind === 'block' ? [event] : []))
  for (const { hash, succeeded, changes } of blocks.flatMap((block) => block.transactions)) {
    const name = names.get(hash) ?? hash
    add('money', `${name}: carried out`, succeeded ? 'succeeded' : 'reverted')
    for (const { account, token, amountRaw, amount } of changes) {
      add('money', `${name}: ${account} in ${token}`, `${amountRaw} (${amount})`)
    }
  }
  add('chain', 'blocks mined', String(blocks.length))
  const trips = events.filter(({ kind }) => kind === 'rpc').length
  add('other', 'round trips of the service', String(trips))
}

/** Adds each header and member of the responses. */
function addResponses(add: Add, { entries }: Recording): void {
  const requests = new Map<string, number>()
  for (const [, { step, path, answer }] of positioned(entries, 'http')) {
    const number = (requests.get(step) ?? 0) + 1
    requests.set(step, number)
    const where = `step ${step}${number === 1 ? '' : `, request ${number}`}`
    const concern = path.endsWith('/confirm') ? 'attribution' : 'answer'
    add(concern, `${where}: status`, answer === null ? 'no response' : String(answer.status))
    if (answer === null) continue
    for (const [name, value] of Object.entries(answer.headers))
      add('answer', `${where}: header ${name}`, value)
    const content = parseJson(answer.body)
    if (content === undefined) add('answer', `${where}: body`, answer.body)
    else {
      for (const [member, value] of leavesOf(content, '')) {
        add(MONEY.test(member) ? 'money' : concern, `${where}: ${member}`, value)
      }
    }
  }
}

/** Members of responses that hold an amount or a recipient of the swap. */
const MONEY = /amount|minimum|value$|tx\.data|tx\.to|Fee|fee|Bps|Rate|Usd|allowanceTarget/

function leavesOf(value: unknown, path: string): readonly (readonly [string, string])[] {
  if (typeof value !== 'object' || value === null) return [[path, JSON.stringify(value)]]
  return Object.entries(value).flatMap(([name, member]) =>
    leavesOf(member, path === '' ? name : `${path}.${name}`),
  )
}
