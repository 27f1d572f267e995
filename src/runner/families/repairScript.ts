import { PARTNER_KEYS } from '../../fixtures/partners.ts'
import type { StepInput } from '../../simulation/steps/steps.ts'

/** Members of a step that name something an earlier step made, and its kind. */
const REFERENCES = { key: 'keys', build: 'builds', tx: 'transactions' } as const

type Kind = (typeof REFERENCES)[keyof typeof REFERENCES]
type Known = Readonly<Record<Kind, Set<string>>>

/**
 * Returns the script without references to things that no earlier step makes: steps with such references are left out, and so
 * are such members of their lists. A race that is left with one report becomes a plain report.
 */
export function repairScript<Case extends { readonly steps: readonly StepInput[] }>(script: Case): Case {
  const known: Known = {
    keys: new Set(Object.keys(PARTNER_KEYS)),
    builds: new Set(),
    transactions: new Set(),
  }
  return { ...script, steps: keepKnown(script.steps, known) }
}

function keepKnown(steps: readonly StepInput[], known: Known): readonly StepInput[] {
  return steps.flatMap((step) => {
    const kept = repaired(step, known)
    if (kept === null) return []
    for (const [kind, name] of namesMadeBy(kept)) known[kind].add(name)
    return [kept]
  })
}

function repaired(step: StepInput, known: Known): StepInput | null {
  if (!refersToKnown(step, known)) return null
  switch (step.op) {
    case 'reorg':
      return step.keep === undefined
        ? step
        : { ...step, keep: step.keep.filter((each) => refersToKnown(each, known)) }
    case 'race': {
      const reports = step.reports.filter((each) => refersToKnown(each, known))
      if (reports.length >= 2) return reports.length === step.reports.length ? step : { ...step, reports }
      const [report] = reports
      return report === undefined ? null : { op: 'confirm', ...report }
    }
    case 'meanwhile': {
      const inner = keepKnown(step.steps, known)
      return inner.length === 0 ? null : { ...step, steps: [...inner] }
    }
    default:
      return step
  }
}

function refersToKnown(record: object, known: Known): boolean {
  return Object.entries(REFERENCES).every(([member, kind]) => {
    const name: unknown = Reflect.get(record, member)
    return typeof name !== 'string' || known[kind].has(name)
  })
}

function namesMadeBy(step: StepInput): readonly (readonly [Kind, string])[] {
  switch (step.op) {
    case 'issue-key':
      return [['keys', step.as]]
    case 'build':
      return [['builds', step.as]]
    case 'approve':
      return [
        ['transactions', `${step.build}-approval`],
        ['transactions', `${step.build}-permit`],
      ]
    case 'pay-fee':
      return [['transactions', `${step.build}-fee`]]
    case 'send':
    case 'replace':
    case 'cancel':
      return [['transactions', step.as]]
    default:
      return []
  }
}
