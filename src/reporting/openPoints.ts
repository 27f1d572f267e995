import { openPoints, type Point } from '../spec/openPoints/index.ts'
import { requirement } from '../spec/requirements/index.ts'
import type { ObservedPoint, Results } from './results.ts'

/** The answer at a point where a service has more than one. */
export const MIXED = 'mixed'

/** A point that the specification leaves to the service, with what a run observed there. */
export interface ReportPoint extends Pick<Point, 'name' | 'requirement' | 'level' | 'situation'> {
  readonly section: string
  /** One answer in the vocabulary of the point, or `mixed`; null: nothing was observed. */
  readonly answer: string | null
  /** Every answer, with the case and the exchange that show it. */
  readonly answers: ObservedPoint['answers']
}

/** Returns the answer at a point: its only one, or `mixed`. */
export function answerAt({ answers }: Pick<ObservedPoint, 'answers'>): string {
  return answers.length === 1 ? (answers[0]?.answer ?? MIXED) : MIXED
}

/** Returns every open point with what a run observed there, in the order of the specification. */
export function pointsOf({ openPoints: observed = [] }: Pick<Results, 'openPoints'>): readonly ReportPoint[] {
  if (observed.length === 0) return []
  const byName = new Map(observed.map((one) => [one.point, one]))
  return openPoints().map(({ name, requirement: id, level, situation }) => {
    const found = byName.get(name)
    return {
      ...{ name, requirement: id, level, situation, section: requirement(id).section },
      answer: found === undefined ? null : answerAt(found),
      answers: found?.answers ?? [],
    }
  })
}

/** An open point at which two runs observed different answers. */
export interface ChangedPoint {
  readonly point: string
  readonly before: string
  readonly after: string
}

/** Returns the open points that both runs observed with different answers. */
export function changedPoints(
  there: Pick<Results, 'openPoints'>,
  here: Pick<Results, 'openPoints'>,
): readonly ChangedPoint[] {
  const before = new Map((there.openPoints ?? []).map((one) => [one.point, one]))
  return (here.openPoints ?? []).flatMap((one) => {
    const known = before.get(one.point)
    if (known === undefined || describeAnswers(known) === describeAnswers(one)) return []
    return [{ point: one.point, before: describeAnswers(known), after: describeAnswers(one) }]
  })
}

/** Returns the answer at a point; for a mixed one, every answer as well. */
function describeAnswers({ answers }: ObservedPoint): string {
  const words = answers.map(({ answer }) => answer).sort()
  return words.length === 1 ? words.join() : `${MIXED}: ${words.join(', ')}`
}
