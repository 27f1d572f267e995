import { replayOfSeed } from '../runner/simulate/simulate.ts'
import type { CampaignFailure, SeedPlan } from './seedRunner.ts'

/**
 * The command line that runs a seed of a campaign again, on any machine and without the campaign.
 *
 * @param command how Plumbline is called, as `npx plumbline`.
 */
export function replayLine(
  { defect }: SeedPlan,
  { seed, mix }: Pick<CampaignFailure, 'seed' | 'mix'>,
  command: string,
): string {
  return replayOfSeed(seed, command, mix, defect)
}
