/**
 * Counts how many seeds a campaign needs to find each of seventeen broken services, by uniform drawing and by steering: the seven that
 * simulations are known to find, and ten that need rarer coincidences. Writes the medians into docs/campaigns.md.
 *
 * npm run campaign:bugs -- [--campaigns 20] [--most 100] [--uniform-seeds 2000] [--results runs.ndjson] [--no-run] [--write]
 */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { plantedDefects, rareDefects } from '../conformance/rare/index.ts'
import { atLeastOne } from '../src/cli/wholeNumber.ts'
import { createWorld } from '../src/simulation/world.ts'
import { type SeedsNeeded, steeredCampaign, uniformCampaigns } from './campaign/bugs/campaigns.ts'
import { NoRunError, Simulations } from './campaign/bugs/simulations.ts'
import { type Needed, tableOf, writeTable } from './campaign/bugs/table.ts'

interface Options {
  readonly campaigns: number
  readonly most: number
  readonly uniformSeeds: number
  readonly results: string
  readonly run: boolean
  readonly write?: boolean
}

const program = new Command('campaign:bugs')
  .option('--campaigns <n>', 'how many campaigns of each kind for each bug', atLeastOne, 20)
  .option('--most <n>', 'the seeds of a campaign', atLeastOne, 100)
  .option('--uniform-seeds <n>', 'the seeds of all campaigns of uniform drawing together', atLeastOne, 2_000)
  .option(
    '--results <file>',
    'keeps every run, so that the next call goes on from there',
    join(tmpdir(), 'plumbline-campaign-bugs.ndjson'),
  )
  .option('--no-run', 'run nothing: count what the file of results allows')
  .option('--write', 'write the table into docs/campaigns.md')
  .parse()
const { campaigns, most, uniformSeeds, results, run, write } = program.opts<Options>()

const bugs = [...plantedDefects, ...rareDefects]
const needed: Needed[] = bugs.map((bug) => ({ bug, uniform: [], steered: [] }))
const world = run ? await createWorld({ seed: 1 }) : null
try {
  const simulations = new Simulations(world, bugs, results)
  for (const { bug, uniform } of needed)
    await untilNoRun(async () => {
      const campaignsOf = uniformCampaigns(simulations, bug, { most, seeds: uniformSeeds })
      for await (const count of campaignsOf) if (uniform.push(count) === campaigns) break
    })
  // One campaign for every bug in turn: whenever this is interrupted, there are as many of each.
  let open: readonly Needed[] = needed
  for (let campaign = 0; campaign < campaigns && open.length > 0; campaign += 1) {
    const counts = new Map<Needed, SeedsNeeded>()
    for (const each of open)
      await untilNoRun(async () => {
        counts.set(each, await steeredCampaign(simulations, each.bug, { campaign, most }))
      })
    // A bug without its runs is left out from then on. Where most have none, those would be known that were soon over.
    if (counts.size * 2 <= open.length) break
    open = open.filter((each) => counts.has(each))
    for (const [{ steered }, count] of counts) steered.push(count)
    console.error(`${campaign + 1} of ${campaigns} steered campaigns`)
  }
} finally {
  await world?.stop()
}
const table = tableOf(needed, most)
console.log(table)
if (write) writeTable(table)

/** Does as much as can be done with the runs that there are, where no others may be made. */
async function untilNoRun(count: () => Promise<unknown>): Promise<void> {
  await count().catch((error) => {
    if (!(error instanceof NoRunError)) throw error
  })
}
