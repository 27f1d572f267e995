import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { reportRecordings } from '../../src/cli/report/reportRecordings.ts'
import { showRecordings } from '../../src/cli/showRecordings.ts'
import { parseRecording, renderRecording } from '../../src/recordings/format/file.ts'
import type { Recording } from '../../src/recordings/format/schema.ts'
import { recordScript } from '../../src/recordings/record/recordScript.ts'
import { compareRecordings } from '../../src/recordings/timeline/compareRecordings.ts'
import { verifyRecording } from '../../src/recordings/verify/verifyRecording.ts'
import type { StepInput } from '../../src/simulation/steps.ts'
import { createWorld } from '../../src/simulation/world.ts'
import { BLOCKS } from '../lifecycle.ts'
import type { Sized } from './measureCurves.ts'
import { lazily } from './world.ts'

/** What has to do with the text of a recording. */
const OF_REPORTS = [
  'record a script',
  'write a recording',
  'read a recording',
  'verify a recording, not executed',
] as const
const REPORTS_GROW = 'each report states what the chain said of every transaction until then'

/** Executing a quote again takes two million gas, and for one file two thousand million are executed. */
const EXECUTED_STEPS_MAX = 300

const NOWHERE = { out: () => {}, err: () => {} }

/** What a recording costs by the number of its steps: to record, write, read, verify, show, draw and compare. */
export function recordings(sizes: readonly number[]): Sized {
  const world = lazily(() => createWorld({ seed: 1, stateRoots: true }))
  return {
    size: 'steps',
    sizes,
    because: Object.fromEntries(OF_REPORTS.map((name) => [name, REPORTS_GROW])),
    at: async (size, measure) => {
      const script = { name: 'bench', seed: 1, steps: stepsOf(size) }
      const own = await world.get()
      let recording: Recording | null = null
      await measure('record a script', async () => {
        recording = await recordScript(own, script)
      })
      if (recording === null) throw new RangeError('nothing was recorded')
      const recorded: Recording = recording
      const text = renderRecording(recorded)
      const folder = mkdtempSync(join(tmpdir(), 'plumbline-bench-'))
      try {
        const file = join(folder, 'recording.json')
        writeFileSync(file, text)
        await measure('write a recording', () => renderRecording(recorded))
        await measure('read a recording', () => parseRecording(text))
        await measure('verify a recording, not executed', () => verifyRecording(text, { execute: false }))
        if (size <= EXECUTED_STEPS_MAX) {
          await measure('verify a recording', () => verifyRecording(text))
          await measure('show a recording', () => holding(showRecordings([file], {}, NOWHERE)))
          await measure('page of a recording', () =>
            holding(reportRecordings([file], { out: folder, quiet: true }, NOWHERE)),
          )
        }
        await measure('compare two recordings', () =>
          compareRecordings({ name: 'one', recording: recorded }, { name: 'other', recording: recorded }),
        )
      } finally {
        rmSync(folder, { recursive: true })
      }
    },
    end: world.end,
  }
}

/** Of so many steps the first five are a lifecycle, and the others quotes, as of somebody who looks at prices. */
const PERIOD = 25

/** Whole lifecycles: a quote, a build, its swap, the blocks that make it deep, and the report; and quotes between them. */
function stepsOf(size: number): readonly StepInput[] {
  const lifecycles = Array.from({ length: Math.ceil(size / PERIOD) }, (_, index): readonly StepInput[] => {
    const [build, tx] = [`build-${index}`, `swap-${index}`]
    const trade = { from: 'ETH', to: 'USDG', amount: 0.01 }
    const quotes = Array.from({ length: PERIOD - 5 }, (_, later): StepInput => {
      const query = { ...trade, amount: (later + 2) / 100 }
      return { op: 'quote', key: 'one', query, expect: { status: 200 } }
    })
    return [
      { op: 'quote', key: 'one', query: trade, expect: { status: 200 } },
      { op: 'build', as: build, key: 'one', sender: 'alice', body: trade, expect: { status: 200 } },
      { op: 'send', build, as: tx },
      { op: 'mine', blocks: BLOCKS },
      { op: 'confirm', key: 'one', build, tx, expect: { status: 200 } },
      ...quotes,
    ]
  })
  return lifecycles.flat().slice(0, size)
}

/** @throws {Error} the recording is refused, or says that its run broke a promise: what is measured is the way of one that holds. */
async function holding(ending: Promise<string>): Promise<void> {
  if ((await ending) !== 'conforms') throw new Error(`the recording ends with ${await ending}`)
}
