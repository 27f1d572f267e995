import { type StepInput, stepSchema } from '../../simulation/steps/steps.ts'
import { type Json, type MemberRules, simplerJson } from './shrinkJson.ts'

type Steps = readonly StepInput[]

interface ScriptCase {
  readonly steps: Steps
}

/** Other names, venues and tokens make different scripts, not simpler ones. */
const RULES: MemberRules = {
  kept: new Set(['op', 'as', 'build', 'tx', 'from', 'to', 'venue', 'partner']),
  demanded: new Set(['amount']),
  plainest: { key: 'one', sender: 'alice', size: 'small' },
}

/**
 * Yields simpler scripts than this one, the boldest first: only its beginning, without some of its steps, simplified in several
 * places, simplified in one place. All can be parsed; a candidate that cannot be run fails when it is run.
 */
export function* simplerScripts({ steps }: ScriptCase): Generator<ScriptCase> {
  for (const size of halvesOf(steps.length)) yield { steps: steps.slice(0, -size) }
  for (const size of halvesOf(steps.length)) {
    for (let start = 0; start < steps.length; start += size) yield { steps: steps.toSpliced(start, size) }
  }
  for (const simpler of withOneBuildLess(steps)) yield { steps: simpler }
  for (const simpler of simplerEverywhere(steps)) yield { steps: simpler }
  for (const index of steps.keys()) {
    for (const simpler of simplerAt(steps, index)) yield { steps: simpler }
  }
}

/** Returns half of a length, rounded up, then half of that, down to one. */
function halvesOf(length: number): readonly number[] {
  const half = Math.ceil(length / 2)
  return half <= 1 ? [half] : [half, ...halvesOf(half)]
}

/** Leaves out the later one of each two builds: the steps that use it use the earlier one, which is there already. */
function withOneBuildLess(steps: Steps): readonly Steps[] {
  const builds = steps.filter((step) => step.op === 'build')
  const sends = steps.filter((step) => step.op === 'send')
  return builds.flatMap((later, index) => {
    const others = sends.filter(({ build }) => build === later.as).map(({ as }) => as)
    return builds.slice(0, index).map((earlier) => {
      const own = sends.find(({ build }) => build === earlier.as)?.as
      const rest = steps.filter(
        (step) => step !== later && !(own !== undefined && step.op === 'send' && others.includes(step.as)),
      )
      return mapped(rest, (record) => ({
        ...record,
        ...(record.build === later.as ? { build: earlier.as } : {}),
        ...(record.build === later.as && record.key === later.key ? { key: earlier.key } : {}),
        ...(own !== undefined && others.includes(String(record.tx)) ? { tx: own } : {}),
      }))
    })
  })
}

/** Simplifies, or leaves out, members of requests, keys and senders in all the steps that share them. */
function* simplerEverywhere(steps: Steps): Generator<Steps> {
  const shared = new Map<string, { readonly record: Readonly<Record<string, Json>>; count: number }>()
  mapped(steps, (record) => {
    for (const [member, value] of Object.entries(record)) {
      if (!('amount' in record) && RULES.plainest[member] === undefined) continue
      const id = JSON.stringify([member, value])
      const count = (shared.get(id)?.count ?? 0) + 1
      shared.set(id, { record: { [member]: value as Json }, count })
    }
    return record
  })
  for (const { record, count } of shared.values()) {
    const [[member, value]] = Object.entries(record) as [[string, Json]]
    for (const simpler of count > 1 ? simplerJson(record, RULES) : []) {
      yield mapped(steps, ({ [member]: own, ...rest }) =>
        own === value
          ? { ...rest, ...(simpler as object) }
          : { ...rest, ...(own === undefined ? {} : { [member]: own }) },
      )
    }
  }
}

/** Simplifies one step: joins it with its neighbour, replaces it by steps that do less, or simplifies its members. */
function* simplerAt(steps: Steps, index: number): Generator<Steps> {
  const step = steps[index] as StepInput
  const [before, after] = [steps.slice(0, index), steps.slice(index + 1)]
  for (const both of joined(step, after[0])) yield [...before, both, ...after.slice(1)]
  for (const instead of replacedBy(step)) yield [...before, ...instead, ...after]
  if (step.op === 'replace' || step.op === 'cancel') {
    // Later steps that name the new transaction name the old one instead.
    yield [
      ...before,
      ...mapped(after, (record) => (record.tx === step.as ? { ...record, tx: step.tx } : record)),
    ]
  }
  for (const simpler of simplerJson(step as Json, RULES)) {
    if (stepSchema.safeParse(simpler).success) yield [...before, simpler as StepInput, ...after]
  }
}

/** Returns steps that can each replace two neighbours of the same kind. */
function joined(step: StepInput, next: StepInput | undefined): Steps {
  if (step.op === 'mine' && next?.op === 'mine') return [{ op: 'mine', blocks: step.blocks + next.blocks }]
  if (step.op !== 'wait' || next?.op !== 'wait') return []
  const ms = Math.round((step.seconds + next.seconds) * 1000)
  return [step.seconds, next.seconds, ms / 1000].map((seconds) => ({ op: 'wait', seconds }))
}

/** Returns replacements for a step that do less. */
function replacedBy(step: StepInput): readonly Steps[] {
  switch (step.op) {
    case 'replace':
    case 'cancel':
      return [[{ op: 'drop', tx: step.tx }]]
    case 'race':
      return step.reports.map((report) => [{ op: 'confirm', ...report }])
    case 'meanwhile':
      return [step.steps]
    case 'mine-at-deadline':
      return [[{ op: 'mine', blocks: 1 }]]
    case 'rollback':
      return [[{ op: 'reorg', depth: step.depth }]]
    default:
      return []
  }
}

/** Returns the steps with `change` applied to each record inside them, innermost first. */
function mapped(steps: Steps, change: (record: Record<string, unknown>) => Record<string, unknown>): Steps {
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit)
    if (typeof value !== 'object' || value === null) return value
    return change(Object.fromEntries(Object.entries(value).map(([member, each]) => [member, visit(each)])))
  }
  return visit(steps) as StepInput[]
}
