import { conformanceCases } from '../../src/cli/suites.ts'
import { runSuites } from '../../src/runner/run.ts'
import type { RunRequest } from '../../src/runner/runRequest.ts'
import type { Sized } from './measureCurves.ts'

/** A short case that each copy runs. */
const COPIED = 'quote.route.market'

/** What a run costs by the number of its cases, its start included. */
export function cases(sizes: readonly number[]): Sized {
  return {
    size: 'cases',
    sizes,
    at: async (size, measure) => {
      const request = requestOf(size)
      await measure('a run', async () => {
        const { result } = await runSuites(request)
        const passed = result.suites.flatMap((suite) => suite.cases).filter(({ status }) => status === 'pass')
        if (passed.length !== size) throw new Error(`${passed.length} of ${size} cases passed`)
      })
    },
  }
}

function requestOf(size: number): RunRequest {
  const copied = conformanceCases().find(({ id }) => id === COPIED)
  if (copied === undefined) throw new RangeError(`there is no case ${COPIED}`)
  const copies = Array.from({ length: size }, (_, index) => ({ ...copied, id: `${COPIED}.${index}` }))
  return {
    command: 'bench',
    suites: [{ name: 'conformance', cases: (ids) => copies.filter(({ id }) => ids?.has(id) ?? true) }],
    target: 'reference',
    options: {},
    seed: 1,
    replay: ({ id }) => `npx plumbline conform reference --only ${id}`,
  }
}
