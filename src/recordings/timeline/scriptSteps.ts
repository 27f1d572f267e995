import { type Step, stepSchema } from '../../simulation/steps.ts'
import { parseJson } from '../../spec/json.ts'
import type { Recording } from '../format/schema.ts'

/** The steps of a script by the paths under which they ran. */
export class ScriptSteps {
  readonly #byPath = new Map<string, Step>()

  constructor(script: readonly unknown[], entries: Recording['entries']) {
    const steps = script.flatMap((step) => stepsIn(step))
    for (const [index, step] of steps.entries()) this.#byPath.set(String(index), step)
    // Steps that ran within a request stand in the script inside of a `meanwhile`, and take the path of the request.
    const inner = steps.flatMap((step) => (step.op === 'meanwhile' ? step.steps : []))
    for (const entry of entries) {
      if (entry.kind !== 'step' || !entry.path.includes('/')) continue
      const at = inner.findIndex(({ op }) => op === entry.op)
      const [step] = at < 0 ? [] : inner.splice(at, 1)
      if (step !== undefined) this.#byPath.set(entry.path, step)
    }
  }

  /** Null for a step that the script does not hold. */
  of(path: string): Step | null {
    return this.#byPath.get(path) ?? null
  }
}

function stepsIn(step: unknown): readonly Step[] {
  const parsed = stepSchema.safeParse(step)
  return parsed.success ? [parsed.data] : []
}

/** A step in a few words. */
export function labelOfStep(step: Step | null): string {
  if (step === null) return 'a step'
  switch (step.op) {
    case 'quote':
      return `quote ${tradeOf(step.query)}`
    case 'build':
      return `build ${step.as}: ${tradeOf(step.body)}`
    case 'approve':
      return `approve for ${step.build}`
    case 'pay-fee':
      return `pay the fee of ${step.build}`
    case 'send':
      return `send ${step.as}${step.change === 'none' ? '' : `, another ${step.change}`}`
    case 'replace':
      return `replace ${step.tx} by ${step.as}${step.change === 'none' ? '' : `, another ${step.change}`}`
    case 'cancel':
      return `cancel ${step.tx}`
    case 'drop':
      return `drop ${step.tx}`
    case 'mine':
      return `mine ${step.blocks === 1 ? 'a block' : `${step.blocks} blocks`}`
    case 'mine-at-deadline':
      return step.offsetS === 0
        ? `mine in the last second of ${step.build}`
        : `mine ${Math.abs(step.offsetS)} s ${step.offsetS < 0 ? 'before' : 'after'} ${step.build} ends`
    case 'wait':
      return `wait ${step.seconds} s`
    case 'reorg':
      return `reorganise the last ${step.depth === 1 ? 'block' : `${step.depth} blocks`}`
    case 'rollback':
      return `fall back by ${step.depth === 1 ? 'a block' : `${step.depth} blocks`}`
    case 'resend':
      return `send ${step.tx} again`
    case 'look':
      return `look: ${step.tx} ${step.state}`
    case 'confirm':
      return `report ${step.tx} for ${step.build}`
    case 'race':
      return `${step.reports.length} reports at once`
    case 'report':
      return `figures of key ${step.key}`
    case 'fault':
      return `${step.venue}: ${step.kind}`
    case 'meanwhile':
      return `plan: ${step.steps.map((inner) => labelOfStep(inner)).join(', then ')}`
    case 'line-fault':
      return `plan: the line is ${step.kind}`
    case 'store-fault':
      return `plan: the store is ${step.kind}`
    default:
      return step.op
  }
}

function tradeOf(request: Readonly<Record<string, unknown>>): string {
  return `${request.amount} ${request.from} → ${request.to}`
}

/** What an answer comes to, in a few words. */
export function answerNote({
  status,
  headers,
  body,
}: {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}): string {
  const content = parseJson(body)
  const member = (name: string): unknown =>
    typeof content === 'object' && content !== null ? Reflect.get(content, name) : undefined
  if (status === 202) return `retry after ${headers['retry-after'] ?? '?'} s`
  if (member('recorded') === true) return member('alreadyRecorded') === true ? 'recorded before' : 'recorded'
  const error = member('error')
  if (typeof error === 'string') return error
  const engine = member('engine')
  return typeof engine === 'string' ? engine : ''
}
