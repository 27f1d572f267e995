import { isDeepStrictEqual } from 'node:util'
import { parseScenarios } from '../../../src/runner/scenarios/scenarioFile.ts'
import { assert, type Target } from '../target.ts'
import { assertRefusal } from './files.ts'
import { committed } from './formats.ts'

const NAMES = [
  'reorg.after-recorded',
  'window.around-the-end',
  'replacement.changed',
  'attribution.same-report-between-reads',
]

/** Scenario files as a person writes them. */
export const scenarioTarget = (): Target => ({
  bases: Object.fromEntries(
    NAMES.map((name) => [name, committed(`scenarios/${name.replace('.', '/')}.json`)]),
  ),
  // biome-ignore format: values side by side
  words: ['quote', 'build', 'confirm', 'meanwhile', 'mine', 'tx.data', '$' + '{name}', 'x$' + '{name}', 'alice', 'venue_a'],
  editsText: true,
  run: async (text) => {
    try {
      const scenarios = parseScenarios('input.json', 'family.input', text)
      for (const { id, ...scenario } of scenarios) {
        const [again] = parseScenarios('input.json', id, JSON.stringify(scenario))
        assert(
          isDeepStrictEqual(again, { id, ...scenario }),
          'a scenario that was written is read as another one',
        )
      }
    } catch (error) {
      assertRefusal(error, 'input.json')
    }
  },
})
