import type { RunRequest } from '../../runner/run.ts'
import { type ConformSuites, conformSuites, referenceSuites } from '../suites.ts'
import type { RunOptions } from './flags.ts'

/** What decides the cases of a run against the reference, as plain data. */
export interface CaseChoice
  extends Pick<RunOptions, 'seed' | 'profile' | 'only' | 'skip' | 'shard' | 'strict'> {
  /** The suites of `plumbline conform`; null: those of `plumbline run`. */
  readonly conform: ConformSuites | null
}

/** The run of which a worker runs some cases; whoever asked for them knows how each is run again. */
export function caseRequest({ conform, profile, shard, ...choice }: CaseChoice): RunRequest {
  return {
    ...choice,
    command: conform === null ? 'run' : 'conform',
    suites: conform === null ? referenceSuites(choice.seed) : conformSuites(conform),
    target: 'reference',
    options: { profile },
    replay: () => '',
    ...(shard === undefined ? {} : { shard: { ...shard, replay: '', flags: [] } }),
  }
}
