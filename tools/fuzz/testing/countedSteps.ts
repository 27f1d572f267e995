import { Session } from 'node:inspector'
import { afterAll, beforeAll } from 'vitest'

/**
 * Counts the steps of the tests of a file.
 *
 * @returns a function that returns the number of executed blocks of code since its last call, as V8 counts them.
 */
export function countSteps(): () => number {
  const session = new Session()
  beforeAll(() => {
    session.connect()
    session.post('Profiler.enable')
    session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  })
  afterAll(() => session.disconnect())
  return () => {
    let steps = 0
    session.post('Profiler.takePreciseCoverage', (error, { result }) => {
      if (error !== null) throw error
      const ranges = result.flatMap(({ functions }) => functions.flatMap((each) => each.ranges))
      steps = ranges.reduce((sum, { count }) => sum + count, 0)
    })
    return steps
  }
}
