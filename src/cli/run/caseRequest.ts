import type { RunRequest } from '../../runner/runRequest.ts'
import { seamsOfDefect } from '../seamsOfDefect.ts'
import { type ConformSuites, conformSuites, referenceSuites } from '../suites.ts'
import type { RunOptions } from './flags.ts'

/** Describes what decides the cases of a run against the reference, as plain data. */
export interface CaseChoice
  extends Pick<RunOptions, 'seed' | 'profile' | 'only' | 'skip' | 'shard' | 'strict'> {
  /** The suites of `plumbline conform`; null: those of `plumbline run`. */
  readonly conform: ConformSuites | null
  /** The id of a known-broken service that takes the place of the reference. */
  readonly defect?: string
}

/**
 * Returns the run of which a worker runs some cases; whoever asked for them knows how each is run again.
 *
 * @throws {UsageError} there is no such defect.
 */
export function caseRequest({ conform, profile, shard, defect, ...choice }: CaseChoice): RunRequest {
  return {
    ...choice,
    command: conform === null ? 'run' : 'conform',
    suites: conform === null ? referenceSuites(choice.seed) : conformSuites(conform),
    target: 'reference',
    options: { profile },
    seams: seamsOfDefect(defect),
    replay: () => '',
    ...(shard === undefined ? {} : { shard: { ...shard, replay: '', flags: [] } }),
  }
}
