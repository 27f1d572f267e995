import { type Step, stepSchema } from '../../simulation/steps/steps.ts'
import type { HttpResponse } from '../../spec/exchange.ts'
import { membersOf, parseJson } from '../../spec/json.ts'
import type { Recording } from '../format/schema.ts'

/** Finds the steps of a script by the paths at which they ran. */
export class ScriptSteps {
  readonly #byPath = new Map<string, Step>()

  readonly #labels: ReadonlyMap<string, string>

  /** @param labels of steps that the script does not hold. */
  constructor(
    script: readonly unknown[],
    entries: Recording['entries'],
    labels: ReadonlyMap<string, string> = new Map(),
  ) {
    this.#labels = labels
    const steps = script.flatMap((step) => stepsIn(step))
    for (const [index, step] of steps.entries()) this.#byPath.set(String(index), step)
    // Steps that ran within a request are in a `meanwhile` of the script, and their paths begin with that of the request.
    const inner = steps.flatMap((step) => (step.op === 'meanwhile' ? step.steps : []))
    for (const entry of entries) {
      if (entry.kind !== 'step' || !entry.path.includes('/')) continue
      const at = inner.findIndex(({ op }) => op === entry.op)
      const [step] = at < 0 ? [] : inner.splice(at, 1)
      if (step !== undefined) this.#byPath.set(entry.path, step)
    }
  }

  labelOf(path: string): string {
    return this.#labels.get(path) ?? labelOfStep(this.of(path))
  }

  /** Returns a step; null: the script does not contain it. */
  of(path: string): Step | null {
    return this.#byPath.get(path) ?? null
  }
}

function stepsIn(step: unknown): readonly Step[] {
  const parsed = stepSchema.safeParse(step)
  return parsed.success ? [parsed.data] : []
}

/** Labels of steps; names in braces are members of the step. */
const LABELS: Readonly<Record<Step['op'], string>> = {
  quote: 'quote',
  build: 'build {as}:',
  approve: 'approve for {build}',
  'pay-fee': 'pay the fee of {build}',
  send: 'send {as}',
  replace: 'replace {tx} by {as}',
  cancel: 'cancel {tx}',
  drop: 'drop {tx}',
  resend: 'send {tx} again',
  mine: 'mine {blocks} blocks',
  'mine-at-deadline': 'mine at the end of {build}, {offsetS} s from it',
  wait: 'wait {seconds} s',
  reorg: 'reorganise the last {depth} blocks',
  rollback: 'roll back by {depth} blocks',
  look: 'look: {tx} {state}',
  confirm: 'report {tx} for {build}',
  race: 'reports at once',
  'spend-budget': 'spend the budget of key {key}',
  report: 'figures of key {key}',
  fault: '{venue}: {kind}',
  'move-pool': 'move {venue}, {size}, against the {against}',
  'line-fault': 'plan: the line is {kind}',
  'store-fault': 'plan: the store is {kind}',
  meanwhile: 'plan:',
  'crash-at': 'plan: crash {when} call {call}',
  skew: 'set the clock {aheadMs} ms ahead',
  'issue-key': 'issue key {as}',
  'revoke-key': 'revoke key {key}',
  restart: 'restart',
  heal: 'heal',
}

function labelOfStep(step: Step | null): string {
  if (step === null) return 'a step'
  const label = LABELS[step.op]
    .replaceAll(/\{(\w+)\}/g, (_, member) => String(Reflect.get(step, member)))
    .replace(/\b1 blocks$/, '1 block')
  if (step.op === 'quote') return `${label} ${tradeOf(step.query)}`
  if (step.op === 'build') return `${label} ${tradeOf(step.body)}`
  if (step.op === 'race') return `${step.reports.length} ${label}`
  if (step.op === 'meanwhile') return `${label} ${step.steps.map(labelOfStep).join(', then ')}`
  const isChanged = (step.op === 'send' || step.op === 'replace') && step.change !== 'none'
  return isChanged ? `${label}, another ${step.change}` : label
}

function tradeOf(request: Readonly<Record<string, unknown>>): string {
  return `${request.amount} ${request.from} → ${request.to}`
}

/** Describes an answer in a few words. */
export function answerNote({ status, headers, body }: HttpResponse): string {
  const { recorded, alreadyRecorded, error, engine } = membersOf(parseJson(body))
  if (status === 202) return `retry after ${headers['retry-after'] ?? '?'} s`
  if (recorded === true) return alreadyRecorded === true ? 'recorded before' : 'recorded'
  if (typeof error === 'string') return error
  return typeof engine === 'string' ? engine : ''
}
