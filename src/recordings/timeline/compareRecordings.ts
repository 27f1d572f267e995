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
import { firstDivergence } from '../replay/divergence.ts'
import { timelineOf } from './fromRecording.ts'

interface Side {
  readonly name: string
  readonly recording: Recording
}

/** How two recordings of one scenario differ: the first divergence, then every difference, money first. */
export function compareRecordings(before: Side, after: Side): RecordingChange {
  const first = firstDivergence(before.recording, after.recording)
  return {
    schema: 'plumbline-recording-change/1',
    before: before.name,
    after: after.name,
    first:
      first === null
        ? null
        : {
            entry: first.entry,
            what: first.what,
            field: first.field,
            before: first.recorded,
            after: first.replayed,
          },
    differences: byConcern(
      first === null
        ? []
        : [
            ...differ(
              factsOfTimeline(timelineOf(before.recording)),
              factsOfTimeline(timelineOf(after.recording)),
            ),
            ...differ(factsOfAnswers(before.recording), factsOfAnswers(after.recording)),
            ...differ(factsOfVerdicts(before.recording), factsOfVerdicts(after.recording)),
          ],
    ),
  }
}

interface Fact {
  readonly concern: Concern
  readonly value: string
}
/** Facts by where they were met. */
type Facts = ReadonlyMap<string, Fact>

function differ(before: Facts, after: Facts): readonly Difference[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((where) => {
    const [one, other] = [before.get(where), after.get(where)]
    if (one?.value === other?.value) return []
    const concern = one?.concern ?? other?.concern ?? 'other'
    return [{ concern, where, before: one?.value ?? 'nothing', after: other?.value ?? 'nothing' }]
  })
}

/** What transactions promise and what they moved, and how many blocks and round trips there were. */
function factsOfTimeline({ transactions, events }: Timeline): Facts {
  const facts = new Map<string, Fact>()
  const names = new Map(transactions.map(({ hash, name }) => [hash, name]))
  for (const { name, call, valueRaw, to } of transactions) {
    facts.set(`${name}: value in wei`, { concern: 'money', value: valueRaw })
    facts.set(`${name}: to`, { concern: 'money', value: to ?? 'nobody' })
    for (const argument of call?.arguments ?? []) {
      facts.set(`${name}: ${argument.name}`, { concern: 'money', value: argument.value })
    }
  }
  let blocks = 0
  let trips = 0
  for (const event of events) {
    if (event.kind === 'rpc') trips += 1
    if (event.kind !== 'block') continue
    blocks += 1
    for (const { hash, succeeded, changes } of event.transactions) {
      const name = names.get(hash) ?? hash
      facts.set(`${name}: carried out`, { concern: 'money', value: succeeded ? 'succeeded' : 'reverted' })
      for (const { account, token, amountRaw, amount } of changes) {
        facts.set(`${name}: ${account} in ${token}`, { concern: 'money', value: `${amountRaw} (${amount})` })
      }
    }
  }
  facts.set('blocks mined', { concern: 'chain', value: String(blocks) })
  facts.set('round trips of the service', { concern: 'other', value: String(trips) })
  return facts
}

/** The answers, member by member. */
function factsOfAnswers({ entries }: Recording): Facts {
  const facts = new Map<string, Fact>()
  const ordinals = new Map<string, number>()
  for (const [, entry] of positioned(entries, 'http')) {
    const ordinal = ordinals.get(entry.step) ?? 0
    ordinals.set(entry.step, ordinal + 1)
    const where = `step ${entry.step}${ordinal === 0 ? '' : `, request ${ordinal + 1}`}`
    addAnswer(facts, where, entry)
  }
  return facts
}

function addAnswer(facts: Map<string, Fact>, where: string, { path, answer }: DraftOf<'http'>): void {
  const confirm = path.endsWith('/confirm')
  facts.set(`${where}: status`, {
    concern: confirm ? 'attribution' : 'answer',
    value: answer === null ? 'no answer' : String(answer.status),
  })
  if (answer === null) return
  const content = parseJson(answer.body)
  if (content === undefined) {
    facts.set(`${where}: body`, { concern: 'answer', value: answer.body })
    return
  }
  for (const [member, value] of leavesOf(content, '')) {
    const concern = MONEY.test(member) ? 'money' : confirm ? 'attribution' : 'answer'
    facts.set(`${where}: ${member}`, { concern, value })
  }
}

/** Members of answers that say how much somebody pays or gets, or whom the swap pays. */
const MONEY = /amount|minimum|value$|tx\.data|tx\.to|Fee|fee|Bps|Rate|Usd|allowanceTarget/

function leavesOf(value: unknown, path: string): readonly (readonly [string, string])[] {
  if (typeof value !== 'object' || value === null) return [[path, JSON.stringify(value)]]
  return Object.entries(value).flatMap(([name, member]) =>
    leavesOf(member, path === '' ? name : `${path}.${name}`),
  )
}

function factsOfVerdicts({ entries }: Recording): Facts {
  const facts = new Map<string, Fact>()
  for (const [, { http, verdicts }] of positioned(entries, 'verdicts')) {
    for (const { requirement, outcome, seen } of verdicts) {
      const where = `${requirement}${http === null ? '' : `, request ${http}`}`
      facts.set(where, {
        concern: 'attribution',
        value: seen === undefined ? outcome : `${outcome}: ${seen}`,
      })
    }
  }
  return facts
}
