import { demandAnswer } from '../../simulation/expectations.ts'
import { seededIds } from '../../simulation/ids.ts'
import { ExpectationError } from '../../simulation/stepErrors.ts'
import { type Step, stepSchema } from '../../simulation/steps.ts'
import { type DraftOf, type Drafts, positioned } from '../replay/drafts.ts'
import { checkRequests } from './checkRequests.ts'
import { ContradictionError } from './errors.ts'
import type { RecordedChain } from './recordedChain.ts'

type Http = DraftOf<'http'>

/**
 * Checks that what happened is the script: every step ended, in its order, on a recorded block; its answers are what it
 * expects, and where one is not, the run ended there; the ids that the service drew are those of the script's seed.
 *
 * Not checked: what steps within a request expect.
 *
 * @throws {ContradictionError}
 */
export function checkSteps(entries: Drafts, chain: RecordedChain): void {
  const [scriptAt, script] = positioned(entries, 'script')[0] as readonly [number, DraftOf<'script'>]
  const [outcomeAt, outcome] = positioned(entries, 'outcome')[0] as readonly [number, DraftOf<'outcome'>]
  const steps = script.steps.map((step, index) => explicit(scriptAt, index, step))
  checkEnded(entries, steps, outcomeAt, outcome)
  checkHeads(entries, chain)
  checkDrawn(entries, script.seed)
  checkRequests(entries, steps)
  checkExpectations(entries, steps, outcome)
  checkTime(entries)
}

function explicit(at: number, index: number, step: unknown): Step {
  const parsed = stepSchema.safeParse(step)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const place = ['steps', index, ...(issue?.path ?? [])].join('.')
  throw new ContradictionError(at, place, issue?.message ?? 'is not a step')
}

/** The steps that are not part of another, as they ended. */
function outerSteps(entries: Drafts): readonly (readonly [number, DraftOf<'step'>])[] {
  return positioned(entries, 'step').filter(([, { path }]) => !path.includes('/'))
}

function checkEnded(
  entries: Drafts,
  steps: readonly Step[],
  outcomeAt: number,
  outcome: DraftOf<'outcome'>,
): void {
  const ended = outerSteps(entries)
  for (const [index, [at, { path, op }]] of ended.entries()) {
    const step = steps[index]
    if (path !== String(index))
      throw new ContradictionError(at, 'path', `step ${path} is the ${index}th to end`)
    if (op !== step?.op) throw new ContradictionError(at, 'op', `${op}, and the script says ${step?.op}`)
  }
  const last = outcome.path === null ? steps.length : Number(outcome.path.split('/')[0])
  if (ended.length !== last || (outcome.ended === 'as-told') !== (outcome.path === null)) {
    const problem = `${outcome.ended} at step ${outcome.path ?? 'none'}, after ${ended.length} of ${steps.length} steps`
    throw new ContradictionError(outcomeAt, 'ended', problem)
  }
}

function checkHeads(entries: Drafts, chain: RecordedChain): void {
  for (const [at, { head }] of positioned(entries, 'step')) {
    const block = chain.block(head.hash)
    if (block === null) throw new ContradictionError(at, 'head.hash', `block ${head.hash} is not recorded`)
    if (block.number !== BigInt(head.number)) {
      throw new ContradictionError(at, 'head.number', `${head.number}, and the block has ${block.number}`)
    }
    if (block.timestampS !== BigInt(head.timestampS)) {
      throw new ContradictionError(
        at,
        'head.timestampS',
        `${head.timestampS}, and the block has ${block.timestampS}`,
      )
    }
  }
}

/** The seed decides the ids: whoever has it can draw them again. */
function checkDrawn(entries: Drafts, seed: number): void {
  const ids = seededIds(seed)
  const uuids: string[] = []
  for (const [at, { drew }] of positioned(entries, 'http')) {
    for (const [index, drawn] of drew.entries()) {
      if (drawn.stream !== 'ids.uuid') continue
      while (uuids.length <= drawn.index) uuids.push(ids.uuid())
      if (drawn.value === uuids[drawn.index]) continue
      const problem = `${drawn.value}, and seed ${seed} draws ${uuids[drawn.index]}`
      throw new ContradictionError(at, `drew.${index}.value`, problem)
    }
  }
}

function checkExpectations(entries: Drafts, steps: readonly Step[], outcome: DraftOf<'outcome'>): void {
  const requests = positioned(entries, 'http').filter(([, { within }]) => within === null)
  for (const [index, step] of steps.entries()) {
    const path = String(index)
    const made = requests.filter(([, http]) => http.step === path)
    const [at, last] = made.at(-1) ?? [-1, null]
    if (last === null || last.answer === null) continue
    const problem = unexpected(
      step,
      path,
      last.answer,
      made.map(([, http]) => http),
    )
    if (problem === null || (outcome.ended !== 'as-told' && outcome.path === path)) continue
    throw new ContradictionError(at, 'answer', `${problem}; the outcome does not say so`)
  }
}

/** What the script did not expect of a step's answers, or null. */
function unexpected(
  step: Step,
  path: string,
  answer: NonNullable<Http['answer']>,
  made: readonly Http[],
): string | null {
  if (step.op === 'race') {
    const seen = made.map((http) => http.answer?.status ?? 0).sort()
    const expected = [...(step.expectStatuses ?? seen)].sort()
    return seen.join() === expected.join() ? null : `expected statuses ${expected}, actual ${seen}`
  }
  if (step.op === 'spend-budget')
    return answer.status === 429 ? null : `expected 429, actual ${answer.status}`
  try {
    demandAnswer(step as Parameters<typeof demandAnswer>[0], path, answer, true)
    return null
  } catch (error) {
    if (error instanceof ExpectationError) return error.message
    throw error
  }
}

/** Time runs forward; the clock of the service may be set back, that of the run is not. */
function checkTime(entries: Drafts): void {
  let beforeMs = 0
  for (const [at, { nowMs }] of positioned(entries, 'step')) {
    if (nowMs < beforeMs) throw new ContradictionError(at, 'nowMs', `${nowMs} lies before ${beforeMs}`)
    beforeMs = nowMs
  }
}
