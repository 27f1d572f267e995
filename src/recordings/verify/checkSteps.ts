import type { z } from 'zod'
import { differenceFrom } from '../../simulation/steps/expectations.ts'
import { type Step, stepSchema } from '../../simulation/steps/steps.ts'
import { seededIds } from '../../simulation/world/ids.ts'
import { describeIssue } from '../../spec/issue.ts'
import { parseJson } from '../../spec/json.ts'
import { buildResponseSchema } from '../../spec/wire.ts'
import { shown } from '../execute/differences.ts'
import { type DraftOf, type Drafts, only, positioned } from '../format/drafts.ts'
import { checkPlaces, checkReported, checkRequests, type Named } from './checkRequests.ts'
import { ContradictionError, check } from './errors.ts'
import type { RecordedChain } from './recordedChain.ts'

type Http = DraftOf<'http'>
/**
 * Checks that what happened is the script: every step ended, in its order, on a recorded block; its requests and its
 * blocks are those that it describes; its responses are what it expects, and where one is not, the run ended there; the
 * ids that the service drew are those of the script's seed.
 *
 * Not checked: steps within a request, and steps whose request was disturbed by them.
 *
 * @throws {ContradictionError}
 */
export function checkSteps(entries: Drafts, chain: RecordedChain): void {
  const [scriptAt, script] = only(entries, 'script')
  const [outcomeAt, outcome] = only(entries, 'outcome')
  const steps = script.steps.map((step, index) => explicit(scriptAt, index, step))
  checkEnded(entries, steps, outcomeAt, outcome)
  checkHeads(entries, chain)
  checkDrawn(entries, script.seed)
  checkPlaces(entries)
  checkReported(entries)
  checkMade(entries, steps, outcome)
}

function explicit(at: number, index: number, step: unknown): Step {
  const { data, error } = stepSchema.safeParse(step)
  if (error === undefined) return data
  const [issue] = error.issues as [z.core.$ZodIssue]
  const field = ['steps', index, ...issue.path].join('.')
  throw new ContradictionError(at, field, describeIssue(stepSchema, step, issue))
}

function checkEnded(
  entries: Drafts,
  steps: readonly Step[],
  outcomeAt: number,
  outcome: DraftOf<'outcome'>,
): void {
  const ended = positioned(entries, 'step').filter(([, { path }]) => !path.includes('/'))
  for (const [index, [at, { path, op }]] of ended.entries()) {
    const step = steps[index]
    check(path === String(index), at, 'path', `step ${path} is the ${index}th to end`)
    check(op === step?.op, at, 'op', differsFromScript(op, step?.op))
  }
  const last = outcome.path === null ? steps.length : Number(outcome.path.split('/')[0])
  check(
    ended.length === last && (outcome.ended === 'as-expected') === (outcome.path === null),
    outcomeAt,
    'ended',
    `${outcome.ended} at step ${outcome.path ?? 'none'}, after ${ended.length} of ${steps.length} steps`,
  )
}

/** Steps end on recorded blocks, and time runs forward: the clock of the service may be set back, that of the run not. */
function checkHeads(entries: Drafts, chain: RecordedChain): void {
  let beforeMs = 0
  for (const [at, { head, nowMs }] of positioned(entries, 'step')) {
    const block = chain.block(head.hash)
    check(block !== null, at, 'head.hash', `block ${head.hash} is not recorded`)
    const isSame = (field: 'number' | 'timestampS') =>
      check(
        block[field] === BigInt(head[field]),
        at,
        `head.${field}`,
        `${head[field]}, and the block has ${block[field]}`,
      )
    isSame('number')
    isSame('timestampS')
    check(nowMs >= beforeMs, at, 'nowMs', `${nowMs} lies before ${beforeMs}`)
    beforeMs = nowMs
  }
}

/** What bounds the work of drawing the ids of a file again. */
const MOST_IDS = 1_000_000

/** The seed decides the ids: whoever has it can generate them again. */
function checkDrawn(entries: Drafts, seed: number): void {
  const ids = seededIds(seed)
  const uuids: string[] = []
  for (const [at, { drew }] of positioned(entries, 'http')) {
    for (const [index, { stream, index: position, value }] of drew.entries()) {
      if (stream !== 'ids.uuid') continue
      check(position < MOST_IDS, at, `drew.${index}.index`, `${position} is more than any run draws`)
      while (uuids.length <= position) uuids.push(ids.uuid())
      const drawn = uuids[position]
      check(value === drawn, at, `drew.${index}.value`, `${value}, and seed ${seed} draws ${drawn}`)
    }
  }
}

function differsFromScript(actual: unknown, expected: unknown): string {
  return `${shown(actual ?? 'nothing')}, and the script says ${shown(expected ?? 'nothing')}`
}

/** The requests of each step, what was expected of the last of them, and the blocks that the step mined. */
function checkMade(entries: Drafts, steps: readonly Step[], outcome: DraftOf<'outcome'>): void {
  const made = new Map<string, (readonly [number, Http])[]>()
  for (const [at, http] of positioned(entries, 'http')) {
    if (http.step.includes('/')) continue
    const own = made.get(http.step)
    if (own === undefined) made.set(http.step, [[at, http]])
    else own.push([at, http])
  }
  const ends = new Map(
    positioned(entries, 'step')
      .map(([at, { path }]) => [path, at] as const)
      .reverse(),
  )
  const named: Named = { transactions: new Map(), builds: new Map() }
  let from = 0
  // What ends the service within a request is not known by the step of that request.
  const endsWithin = steps.some((step) => step.op === 'meanwhile' && endsService(step.steps))
  let isCrashPlanned = false
  for (const [index, step] of steps.entries()) {
    const path = String(index)
    const requests = made.get(path) ?? []
    if (!endsWithin && !isCrashPlanned && outcome.path !== path) checkAnswered(requests)
    isCrashPlanned = step.op === 'crash-at' || (isCrashPlanned && requests.length === 0)
    const end = ends.get(path)
    checkRequests(entries, step, requests, named, end === undefined ? null : { at: end })
    if (outcome.ended === 'as-expected' || outcome.path !== path) checkExpected(step, requests)
    if (end === undefined) return
    checkBlockCount(end, step, entries.slice(from, end))
    remember(step, entries[end] as DraftOf<'step'>, requests.at(-1)?.[1], named)
    from = end + 1
  }
}

/** Returns whether a step, or one within it, ends the service. */
function endsService(steps: readonly Step[]): boolean {
  return steps.some(
    (step) =>
      step.op === 'crash-at' || step.op === 'restart' || (step.op === 'meanwhile' && endsService(step.steps)),
  )
}

/** A service that was not ended answers. */
function checkAnswered(requests: readonly (readonly [number, Http])[]): void {
  for (const [at, { answer }] of requests)
    check(answer !== null, at, 'answer', 'none came, and no step ends the service then')
}

function checkExpected(step: Step, requests: readonly (readonly [number, Http])[]): void {
  const [at, last] = requests.at(-1) ?? [-1, null]
  if (last === null || last.answer === null) return
  const difference = differenceFrom(
    step,
    requests.map(([, { answer }]) => answer ?? { status: 0, headers: {}, body: '' }),
  )
  const problem = `expected ${difference?.expected}, actual ${difference?.actual}; the outcome does not say so`
  check(difference === null, at, 'answer', problem)
}

function checkBlockCount(at: number, step: Step, within: Drafts): void {
  const expected = blocksOf(step)
  // Steps within the step mine on their own account.
  if (expected === null || within.some(({ kind }) => kind === 'step')) return
  const mined = positioned(within, 'block').length
  check(mined === expected, at, 'op', `${mined} new blocks, and the script says ${expected}`)
}

function blocksOf(step: Step): number | null {
  if (step.op === 'mine') return step.blocks
  if (step.op === 'reorg') return step.blocks ?? step.depth
  if (step.op === 'mine-at-deadline') return 1
  return ['wait', 'rollback', 'look', 'send', 'approve', 'pay-fee', 'drop', 'resend'].includes(step.op)
    ? 0
    : null
}

function remember(step: Step, { sent }: DraftOf<'step'>, request: Http | undefined, named: Named): void {
  for (const { name, hash } of sent) named.transactions.set(name, hash)
  if (step.op !== 'build' || request?.answer?.status !== 200) return
  const parsed = buildResponseSchema.safeParse(parseJson(request.answer.body))
  const buildId = parsed.data?.attribution?.buildId
  if (buildId !== undefined) named.builds.set(step.as, buildId)
}
