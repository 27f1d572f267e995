import { quoted, shellWord } from '../host/shellWord.ts'
import { replayOfSeed } from '../runner/simulate/keep.ts'
import type { SeedFailure, SeedPlan } from './seedRunner.ts'
import type { TargetPlan } from './targetPlan.ts'

/**
 * Returns the command line that runs a seed of a campaign again, on any machine and without the campaign; of a suite of cases, the
 * case that failed.
 *
 * @param command how Plumbline is called, as `npx plumbline`.
 */
export function replayLine(
  plan: SeedPlan,
  { seed, case: failed }: Pick<SeedFailure, 'seed'> & Partial<Pick<SeedFailure, 'case'>>,
  command: string,
): string {
  const { suite, defect, only = [], target } = plan
  if (suite === 'simulate') return replayOfSeed(seed, command, defect)
  const patterns = failed === undefined || failed.failure === null ? only : [failed.id]
  const words = [
    ...(target === undefined
      ? [suite === 'conform' ? 'conform reference' : 'property', `--seed ${seed}`]
      : ['conform', ...targetWords(target), `--seed ${seed}`]),
    ...(target !== undefined && suite === 'property' ? ['--with-properties'] : []),
    ...(defect === undefined ? [] : [`--defect ${defect}`]),
    ...patterns.map((pattern) => `--only ${shellWord(pattern)}`),
  ]
  return `${command} ${words.join(' ')}`
}

function targetWords({ how, named, profile, files }: TargetPlan): readonly string[] {
  const flag = how === 'start' ? `--start ${quoted(named)}` : `--target ${shellWord(named)}`
  return [flag, `--profile ${profile}`, ...files]
}
