import type { Step, StepOf } from '../../simulation/steps.ts'
import { buildResponseSchema } from '../../spec/wire.ts'
import { bodyJson, type DraftOf, type Drafts, positioned } from '../replay/drafts.ts'
import { ContradictionError } from './errors.ts'
import { BUILD_PATH } from './recordedReports.ts'

type Http = DraftOf<'http'>
/** What went before under the names of the script: hashes of transactions, ids of builds. */
interface Named {
  readonly transactions: ReadonlyMap<string, string>
  readonly builds: ReadonlyMap<string, string>
}

/**
 * Checks that the requests and the blocks of each step are those of the script: what a quote or a build requests,
 * which transaction and build a confirm reports, how many blocks were mined or replaced.
 *
 * Not checked: steps within a request, and steps whose request was disturbed by them.
 *
 * @throws {ContradictionError}
 */
export function checkRequests(entries: Drafts, steps: readonly Step[]): void {
  const named = { transactions: new Map<string, string>(), builds: new Map<string, string>() }
  let from = 0
  for (const [index, step] of steps.entries()) {
    const path = String(index)
    const end = entries.findIndex((entry) => entry.kind === 'step' && entry.path === path)
    if (end === -1) return
    const within = entries.slice(from, end)
    const requests = positioned(within, 'http').filter(
      ([, http]) => http.step === path && http.within === null,
    )
    for (const [at, http] of requests) checkRequest(from + at, step, http, named)
    checkBlockCount(end, step, within)
    remember(step, entries[end] as DraftOf<'step'>, requests.at(-1)?.[1], named)
    from = end + 1
  }
}

function checkRequest(at: number, step: Step, { method, path, body }: Http, named: Named): void {
  const demand = (field: string, seen: unknown, expected: unknown): void => {
    if (seen === expected) return
    throw new ContradictionError(at, field, `${seen}, and the script says ${expected}`)
  }
  const members = (bodyJson(body) ?? {}) as Readonly<Record<string, unknown>>
  switch (step.op) {
    case 'quote': {
      demand('method', method, 'GET')
      const asked = new URLSearchParams(path.split('?')[1] ?? '')
      for (const [name, value] of Object.entries(step.query)) demand('path', asked.get(name), String(value))
      return
    }
    case 'build':
      demand('method', method, 'POST')
      demand('path', path, BUILD_PATH)
      for (const [name, value] of Object.entries(step.body)) demand('body', members[name], value)
      return
    case 'confirm':
      demand('method', method, 'POST')
      demand('body', members.txHash, named.transactions.get(step.tx))
      demand('body', members.buildId, named.builds.get(step.build))
      return
    case 'report':
      demand('method', method, 'GET')
      return
    default:
      return
  }
}

function checkBlockCount(at: number, step: Step, within: Drafts): void {
  const expected = blocksOf(step)
  // Steps within the step mine on their own account.
  if (expected === null || within.some(({ kind }) => kind === 'step')) return
  const mined = positioned(within, 'block').length
  if (mined !== expected)
    throw new ContradictionError(at, 'op', `${mined} new blocks, and the script says ${expected}`)
}

function blocksOf(step: Step): number | null {
  if (step.op === 'mine') return step.blocks
  if (step.op === 'reorg') return (step as StepOf<'reorg'>).blocks ?? step.depth
  if (step.op === 'mine-at-deadline') return 1
  return ['wait', 'rollback', 'look', 'send', 'approve', 'pay-fee', 'drop', 'resend'].includes(step.op)
    ? 0
    : null
}

function remember(
  step: Step,
  { sent }: DraftOf<'step'>,
  request: Http | undefined,
  named: { readonly transactions: Map<string, string>; readonly builds: Map<string, string> },
): void {
  for (const { name, hash } of sent) named.transactions.set(name, hash)
  if (step.op !== 'build' || request?.answer?.status !== 200) return
  const parsed = buildResponseSchema.safeParse(bodyJson(request.answer.body))
  const buildId = parsed.data?.attribution?.buildId
  if (buildId !== undefined) named.builds.set(step.as, buildId)
}
