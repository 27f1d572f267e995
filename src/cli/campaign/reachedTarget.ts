import type { Target, TargetOptions } from '../../targets/open.ts'

/** The service of a campaign as one machine reaches it: what the database does not hold. Plain data. */
export interface ReachedTarget {
  readonly target: Exclude<Target, 'reference'>
  readonly options: Omit<TargetOptions, 'profile' | 'directory'>
}
