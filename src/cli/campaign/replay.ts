import type { SeedFailure, SeedPlan } from '../../campaign/seedRunner.ts'
import { caseCommandLine, commandLine, type SaidOptions } from '../run/replay.ts'

/**
 * Returns the command line that runs a seed of a campaign again, on any machine and without the campaign; for a suite of cases,
 * only the failed case.
 */
export function replayLine(
  { suite, defect, only, target }: SeedPlan,
  { seed, case: failed }: Pick<SeedFailure, 'seed'> & Partial<Pick<SeedFailure, 'case'>>,
): string {
  if (suite === 'simulate') return commandLine('simulate', { seed, runs: 1, defect })
  const command = target === undefined ? suite : 'conform'
  const names = target === undefined && suite === 'conform' ? ['reference'] : []
  const options = {
    ...{ seed, defect, only, ...target?.options, profile: target?.profile },
    withProperties: target !== undefined && suite === 'property',
  } as SaidOptions
  return failed?.failure
    ? caseCommandLine(command, options, failed.id, names)
    : commandLine(command, options, names)
}
