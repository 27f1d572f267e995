import type { StepInput } from '../simulation/steps.ts'
import { PLAINEST, rounder } from './shrinkSteps.ts'

type Build = Extract<StepInput, { op: 'build' }>
type Send = Extract<StepInput, { op: 'send' }>

/**
 * Scripts that are simpler than `steps` in several places at once, where no single change would do: one build in the
 * place of two, and members that must be equal made simpler together.
 */
export function simplerAltogether(steps: readonly StepInput[]): readonly (readonly StepInput[])[] {
  return [...withOneBuildLess(steps), ...simplerEverywhere(steps)]
}

/** For each two builds: what is done with the later one is done with the earlier one, which is there already. */
function withOneBuildLess(steps: readonly StepInput[]): readonly (readonly StepInput[])[] {
  const builds = steps.filter((step): step is Build => step.op === 'build')
  const sends = steps.filter((step): step is Send => step.op === 'send')
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

const NAMING_MEMBERS = new Set(['key', 'sender', 'amount'])

/** For each value that several steps share: another one, or none, in all of them. */
function simplerEverywhere(steps: readonly StepInput[]): readonly (readonly StepInput[])[] {
  const shared = new Map<string, { readonly member: string; readonly value: unknown; count: number }>()
  mapped(steps, (record) => {
    for (const [member, value] of Object.entries(record)) {
      if (!isRequestMember(record, member) && !NAMING_MEMBERS.has(member)) continue
      const id = JSON.stringify([member, value])
      const known = shared.get(id) ?? { member, value, count: 0 }
      known.count += 1
      shared.set(id, known)
    }
    return record
  })
  return [...shared.values()]
    .filter(({ count }) => count > 1)
    .flatMap(({ member, value }) =>
      insteadOf(member, value).map((instead) =>
        mapped(steps, (record) => {
          if (record[member] !== value) return record
          const { [member]: _left, ...rest } = record
          return instead === undefined ? rest : { ...record, [member]: instead }
        }),
      ),
    )
}

/** Members that only the body of a build or the query of a quote has, and that may be left out of it. */
function isRequestMember(record: Record<string, unknown>, member: string): boolean {
  return 'amount' in record && member !== 'amount' && member !== 'from' && member !== 'to'
}

/** Values that are simpler; `undefined` stands for none. */
function insteadOf(member: string, value: unknown): readonly unknown[] {
  const plainest = PLAINEST[member]
  if (plainest !== undefined) return plainest === value ? [] : [plainest]
  if (member !== 'amount') return [undefined]
  return typeof value === 'number' ? rounder(value) : []
}

/** The steps with each record inside them, from the innermost on, changed. */
function mapped(
  steps: readonly StepInput[],
  change: (record: Record<string, unknown>) => Record<string, unknown>,
): readonly StepInput[] {
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit)
    if (typeof value !== 'object' || value === null) return value
    return change(Object.fromEntries(Object.entries(value).map(([member, each]) => [member, visit(each)])))
  }
  return visit(steps) as StepInput[]
}
