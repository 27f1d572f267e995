import { groupBy } from '../../reporting/groupBy.ts'
import type { Timeline, TimelineEvent } from '../../reporting/timeline/model.ts'
import { membersOf, parseJson } from '../../spec/json.ts'
import { LIMITS } from '../../spec/limits.ts'
import { only } from '../format/drafts.ts'
import type { EntryOf, Recording } from '../format/schema.ts'
import { Actors } from './actors.ts'
import { balanceChanges } from './balanceChanges.ts'
import { stepsOfCase, withCauses } from './controlSteps.ts'
import { answerNote, ScriptSteps } from './scriptSteps.ts'
import { describeTransactions, ownersOf, sentTransactions } from './transactions.ts'

/** Returns a recording as a timeline of events, orphaned blocks included. */
export function timelineOf(recording: Recording): Timeline {
  if (only(recording.entries, 'manifest')[1].outside === undefined) return drawn(recording)
  const caused = { ...recording, entries: withCauses(recording.entries) }
  if (only(recording.entries, 'script')[1].steps.length > 0) return drawn(caused)
  const { entries, labels } = stepsOfCase(caused)
  return drawn({ ...recording, entries }, labels)
}

function drawn(recording: Recording, labels?: ReadonlyMap<string, string>): Timeline {
  const { entries } = recording
  const [, genesis] = only(entries, 'genesis')
  const [, script] = only(entries, 'script')
  const actors = new Actors(genesis.world)
  const steps = new ScriptSteps(script.steps, entries, labels)
  return {
    id: script.name,
    title: script.name,
    base: beginningOf(entries),
    builds: buildsOf(entries, steps),
    transactions: describeTransactions(entries, sentTransactions(entries, steps), actors),
    events: eventsOf(recording, steps, actors),
    problem: problemOf(entries),
  }
}

/** Returns the block that a recording begins on. */
function beginningOf(entries: Recording['entries']): Timeline['base'] {
  const [, { base, start }] = only(entries, 'genesis')
  if (start === undefined) return base
  return { number: start.number, hash: start.blockHash, timestampS: start.header.timestampS }
}

function buildsOf(entries: Recording['entries'], steps: ScriptSteps): Timeline['builds'] {
  return entries.flatMap((entry) => {
    if (entry.kind !== 'http' || entry.answer?.status !== 200) return []
    const step = steps.of(entry.step)
    if (step?.op !== 'build') return []
    const { atMs, body } = entry.answer
    // The window follows from the build (§2.5), as the specification leaves the format of `validUntil` open.
    const validUntilMs = membersOf(parseJson(body)).attribution ? atMs + LIMITS.attributionWindowMs : null
    return [{ name: step.as, builtAtMs: atMs, validUntilMs, confirmations: LIMITS.confirmations }]
  })
}

function problemOf(entries: Recording['entries']): string | null {
  const [, outcome] = only(entries, 'outcome')
  if (outcome.ended === 'as-expected') return null
  const where = outcome.path === null ? '' : ` at step ${outcome.path}`
  return outcome.ended === 'unexpected'
    ? `It stopped${where}: expected ${outcome.expected}, actual ${outcome.actual}.`
    : `It ended early${where}: ${outcome.actual}${outcome.actual?.includes('\n') ? '' : '.'}`
}

function eventsOf({ entries }: Recording, steps: ScriptSteps, actors: Actors): TimelineEvent[] {
  const events: TimelineEvent[] = []
  const owners = ownersOf(entries)
  const ends = answersAt(entries)
  const sent = sentTransactions(entries, steps)
  const sentIn = groupBy(sent, ({ path }) => path)
  const begun = new Set<string>()
  const base = beginningOf(entries)
  let tip = base.hash
  let nowMs = base.timestampS * 1000

  const begin = (path: string) => {
    const outer = path.slice(0, Math.max(0, path.lastIndexOf('/')))
    if (outer !== '') begin(outer)
    if (begun.has(path)) return
    begun.add(path)
    const step = steps.of(path)
    const source = step === null ? '' : JSON.stringify(step)
    events.push({
      kind: 'step',
      op: step?.op ?? '',
      label: steps.labelOf(path),
      source,
      step: path,
      atMs: nowMs,
    })
    for (const { hash, replaces } of sentIn.get(path) ?? []) {
      events.push({ kind: 'sent', transaction: hash, replaces, step: path, atMs: nowMs })
    }
    const dropped = step?.op === 'drop' ? sent.findLast(({ name }) => name === step.tx) : undefined
    if (dropped !== undefined) {
      events.push({ kind: 'dropped', transaction: dropped.hash, step: path, atMs: nowMs })
    }
  }

  for (const [index, entry] of entries.entries()) {
    const step = owners[index]
    if (step !== undefined) begin(step)
    const place = { step: step ?? '', atMs: nowMs }
    if (entry.kind === 'http') {
      nowMs = entry.atMs
      events.push({ ...requestOf(entry), step: entry.step, atMs: entry.atMs })
    }
    if (entry.kind === 'rpc') {
      const calls = entry.calls.map(({ method }) => method)
      events.push({ kind: 'rpc', calls, fault: entry.fault, ...place, atMs: entry.atMs })
    }
    if (entry.kind === 'store-fault') {
      events.push({ kind: 'store', what: `${entry.method} fails: ${entry.error}`, fault: true, ...place })
    }
    if (entry.kind === 'block') {
      nowMs = Math.max(nowMs, entry.header.timestampS * 1000)
      events.push({ ...blockOf(entry, actors), ...place, atMs: nowMs })
      tip = entry.blockHash
    }
    for (const answered of ends.get(index) ?? []) events.push(...answersOf(answered, steps))
    if (entry.kind === 'step') {
      nowMs = entry.nowMs
      if (entry.head.hash !== tip)
        events.push({ kind: 'head', hash: entry.head.hash, step: entry.path, atMs: nowMs })
      tip = entry.head.hash
    }
  }
  return events
}

/** Returns the requests, grouped by the last entry on their behalf or within them. */
function answersAt(entries: Recording['entries']): ReadonlyMap<number, readonly EntryOf<'http'>[]> {
  /** By request: its last entry. */
  const lastFor = new Map<number | null, number>()
  const lastInside = new Map<string, number>()
  for (const [index, entry] of entries.entries()) {
    if (entry.kind === 'http') lastFor.set(entry.within, index)
    if (entry.kind === 'rpc' || entry.kind === 'store-fault' || entry.kind === 'timer')
      lastFor.set(entry.http, index)
    if (entry.kind !== 'step') continue
    for (let at = entry.path.indexOf('/'); at >= 0; at = entry.path.indexOf('/', at + 1))
      lastInside.set(entry.path.slice(0, at), index)
  }
  const ends = entries.flatMap((entry, index) => {
    if (entry.kind !== 'http') return []
    const inner = [lastFor.get(entry.id), lastInside.get(entry.step)]
    return [{ entry, end: Math.max(index, ...inner.map((each) => each ?? index)) }]
  })
  return new Map(
    [...groupBy(ends, ({ end }) => end)].map(([end, own]) => [end, own.map(({ entry }) => entry)]),
  )
}

function requestOf({ id, method, path, headers, body, answer }: EntryOf<'http'>) {
  const [bare = path] = path.split('?', 1)
  return {
    kind: 'request' as const,
    id,
    label: `${method} ${bare.replace('/api/v1', '')}`,
    exchange: {
      request: { method, path, headers, body },
      response:
        answer === null
          ? { status: 0, headers: {}, body: '' }
          : { status: answer.status, headers: answer.headers, body: answer.body },
    },
  }
}

/** Returns the response, with the write to the store that it implies, as recordings hold no writes. */
function answersOf({ id, step, answer }: EntryOf<'http'>, steps: ScriptSteps): readonly TimelineEvent[] {
  if (answer === null) return []
  const { atMs, status } = answer
  const op = steps.of(step)?.op
  const { attribution, recorded, alreadyRecorded } = membersOf(parseJson(answer.body))
  const kept =
    status !== 200
      ? null
      : op === 'build' && attribution
        ? 'keeps the build'
        : recorded === true && alreadyRecorded === false
          ? 'records the swap'
          : null
  return [
    ...(kept === null ? [] : [{ kind: 'store' as const, what: kept, fault: false, step, atMs }]),
    { kind: 'answer', id, status, note: answerNote(answer), step, atMs },
  ]
}

function blockOf({ number, blockHash, header, transactions }: EntryOf<'block'>, actors: Actors) {
  return {
    kind: 'block' as const,
    number,
    hash: blockHash,
    parent: header.parentHash,
    timestampS: header.timestampS,
    transactions: transactions.map((transaction, index) => ({
      hash: transaction.hash,
      succeeded: transaction.succeeded,
      changes: balanceChanges(transaction, {
        gasUsed: transaction.cumulativeGasUsed - (transactions[index - 1]?.cumulativeGasUsed ?? 0),
        baseFeeWei: BigInt(header.baseFeeWei),
        actors,
      }),
    })),
  }
}
