import fc from 'fast-check'
import { type StepInput, stepSchema } from '../simulation/steps.ts'
import { withTransactionRenamed } from './shrinkNames.ts'

/** Members that say which thing is meant, or what is demanded of it: other values are other stories, not simpler ones. */
const KEPT_MEMBERS = new Set(['op', 'as', 'build', 'tx', 'from', 'to', 'venue', 'partner'])
/** Members that no request is complete without. */
const DEMANDED_MEMBERS = new Set(['amount'])
/** Of equals, the one that a reader expects. */
export const PLAINEST: Readonly<Record<string, string>> = { key: 'one', sender: 'alice', size: 'small' }

/**
 * Scripts that are simpler than `steps` at the place `index`, the simplest first: the step in fewer or smaller words,
 * another step in its place that does less, or one step for it and its neighbour. All can be parsed; whether they can be
 * run is for the runner to find out.
 */
export function simplerAt(steps: readonly StepInput[], index: number): readonly (readonly StepInput[])[] {
  const step = steps[index]
  if (step === undefined) return []
  const before = steps.slice(0, index)
  const after = steps.slice(index + 1)
  const put = (...instead: readonly StepInput[]) => [...before, ...instead, ...after]
  return [
    ...joined(step, after).map((both) => [...before, both, ...after.slice(1)]),
    ...replacedBy(step).map((instead) => put(...instead)),
    ...undone(step).map(({ old, name }) => [...before, ...withTransactionRenamed(after, name, old)]),
    ...simplerSteps(step).map((simpler) => put(simpler)),
  ]
}

/** One step for two neighbours that do the same. */
function joined(step: StepInput, [next]: readonly StepInput[]): readonly StepInput[] {
  if (step.op === 'mine' && next?.op === 'mine') return [{ op: 'mine', blocks: step.blocks + next.blocks }]
  if (step.op !== 'wait' || next?.op !== 'wait') return []
  const ms = Math.round((step.seconds + next.seconds) * 1000)
  return [step.seconds, next.seconds, ms / 1000].map((seconds) => ({ op: 'wait', seconds }))
}

/** Steps that do less than this one. */
function replacedBy(step: StepInput): readonly (readonly StepInput[])[] {
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

/** A replacement that never happened: who speaks of the new transaction means the old one. */
function undone(step: StepInput): readonly { readonly old: string; readonly name: string }[] {
  return step.op === 'replace' || step.op === 'cancel' ? [{ old: step.tx, name: step.as }] : []
}

function simplerSteps(step: StepInput): readonly StepInput[] {
  return simplerRecords(step).filter((record): record is StepInput => stepSchema.safeParse(record).success)
}

function simplerRecords(record: object): readonly object[] {
  const members = Object.entries(record).filter(([member]) => !KEPT_MEMBERS.has(member))
  return members.flatMap(([member, value]) => {
    const { [member]: _left, ...rest } = record as Record<string, unknown>
    const without = DEMANDED_MEMBERS.has(member) ? [] : [rest]
    return [...without, ...simplerValues(member, value).map((simpler) => ({ ...record, [member]: simpler }))]
  })
}

function simplerValues(member: string, value: unknown): readonly unknown[] {
  if (typeof value === 'number') return Number.isInteger(value) ? smaller(value) : rounder(value)
  if (typeof value === 'string') {
    const plainest = PLAINEST[member]
    return plainest === undefined || plainest === value ? [] : [plainest]
  }
  if (Array.isArray(value)) return shorter(value)
  return typeof value === 'object' && value !== null ? simplerRecords(value) : []
}

/** Whole numbers nearer to zero, the nearest first, then by half of the step each time. */
function smaller(value: number): readonly number[] {
  return [...fc.integer().shrink(value, undefined)].map((each) => each.value)
}

/** Decimals with fewer digits. */
export function rounder(value: number): readonly number[] {
  const magnitude = 10 ** Math.floor(Math.log10(Math.abs(value)))
  const candidates = [
    magnitude,
    Math.round(value),
    ...[1, 2, 3].map((digits) => Number(value.toFixed(digits))),
  ]
  const lengthOf = (number: number) => String(number).length
  return candidates.filter((number) => number !== 0 && lengthOf(number) < lengthOf(value))
}

/** Without its later half, without any one element, and with any one element made simpler. */
function shorter(list: readonly unknown[]): readonly unknown[][] {
  const half = list.length > 3 ? [list.slice(0, Math.ceil(list.length / 2))] : []
  const without = list.map((_, index) => list.toSpliced(index, 1))
  const simpler = list.flatMap((each, index) =>
    simplerValues('', each).map((value) => list.with(index, value)),
  )
  return [...half, ...without, ...simpler]
}
