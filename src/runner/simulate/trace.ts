import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import type { FinishedRun } from './run.ts'

const TRACE_SCHEMA = 'plumbline-trace/2'

/** Where the trace of a simulation goes, run by run. */
export interface TraceWriter {
  add(run: FinishedRun): void
  /** Counts the runs: a trace without its last line was cut off. */
  end(): void
}

/**
 * Everything that the runs of a simulation did and what the judges said, as NDJSON: a line that names the format, one for
 * each run, one that counts them. Equal runs give equal traces, to the byte, wherever and next to whatever they ran.
 */
export function traceTo(write: (line: string) => void): TraceWriter {
  let runs = 0
  const line = (value: object) => write(JSON.stringify(value))
  line({ schema: TRACE_SCHEMA })
  return {
    add: ({ name, seed, options, steps, struck, log, judged, problem }) => {
      runs += 1
      line({ name, seed, options, steps, struck, log, judged, problem })
    },
    end: () => line({ runs }),
  }
}

/** A trace in a file, whose folder is made where it is missing. */
export function traceFile(path: string): TraceWriter {
  mkdirSync(dirname(path), { recursive: true })
  const file = openSync(path, 'w')
  const trace = traceTo((line) => writeSync(file, `${line}\n`))
  return {
    add: trace.add,
    end: () => {
      trace.end()
      closeSync(file)
    },
  }
}
