import { expect, test } from 'vitest'
import { parseRecording } from '../../recordings/format/file.ts'
import { type Anything, all, forged, goldenText } from '../../recordings/testing/forge.ts'
import { timelineOf } from '../../recordings/timeline/fromRecording.ts'
import { describedTimeline } from './drawScenarios.ts'

const TEXT = goldenText('reorg.moves-to-later-block')

function descriptionOf(text: string): string | undefined {
  const recording = parseRecording(text)
  return describedTimeline(timelineOf(recording), recording).description
}

test('a recording has the description of the scenario with its script, not of the one with its name', () => {
  expect(descriptionOf(TEXT)).toMatch(/^The new branch has the swap/)
  const renamed = forged(TEXT, (recording) => {
    ;(all(recording, 'script')[0] as Anything).name = 'window.still-pending-at-end'
  })
  const rewritten = forged(TEXT, (recording) => {
    const { steps } = all(recording, 'script')[0] as Anything
    steps.at(-1).expect.status = 429
  })
  expect([renamed, rewritten].map(descriptionOf)).toEqual([undefined, undefined])
})
