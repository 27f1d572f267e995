import { SCENARIOS } from '../../../scenarios/index.ts'
import { recordScript } from '../../harness/recording/recordScript.ts'
import type { Scenario } from '../../harness/scenario.ts'
import { timelineOf } from '../../harness/timeline/fromRecording.ts'
import type { Results } from '../../reporting/results.ts'
import type { Timeline } from '../../reporting/timeline/model.ts'
import { createWorld } from '../../simulation/world.ts'
import { UsageError } from '../exit.ts'
import { didYouMean } from '../suggest.ts'

/** So many stories that failed are drawn; many have one cause. */
const DRAWN_FAILURES = 3

/**
 * The stories of these names, `*` standing for anything.
 *
 * @throws {UsageError} a name fits none.
 */
export function storiesNamed(names: readonly string[]): readonly Scenario[] {
  return names.flatMap((name) => {
    const pattern = new RegExp(`^${name.split('*').map(escaped).join('.*')}$`)
    const found = SCENARIOS.filter(({ id }) => pattern.test(id))
    if (found.length > 0) return found
    const ids = SCENARIOS.map(({ id }) => id)
    throw new UsageError(`there is no story ${name}`, `${didYouMean(name, ids)}Stories look like ${ids[0]}.`)
  })
}

/** The first stories that failed in a run. */
export function failedStories(run: Results): readonly Scenario[] {
  const failed = new Set(
    run.groups.flatMap(({ results }) =>
      results.filter(({ status }) => status === 'fail').map(({ id }) => id),
    ),
  )
  return SCENARIOS.filter(({ id }) => failed.has(`scenario.${id}`)).slice(0, DRAWN_FAILURES)
}

/** Tells stories once more, recorded, for their timelines. */
export async function drawStories(stories: readonly Scenario[], seed: number): Promise<Timeline[]> {
  if (stories.length === 0) return []
  const world = await createWorld({ seed })
  try {
    const timelines: Timeline[] = []
    for (const { id, story, steps } of new Set(stories)) {
      const recording = await recordScript(world, { name: id, seed, steps })
      timelines.push({ ...timelineOf(recording), story })
    }
    return timelines
  } finally {
    await world.stop()
  }
}

function escaped(text: string): string {
  return text.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
}
