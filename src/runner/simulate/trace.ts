import { closeSync, openSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder, NotWrittenError } from '../../host/writeWhole.ts'
import type { FinishedRun } from './simulations.ts'

const TRACE_SCHEMA = 'plumbline-trace/2'

/** Receives the trace of a simulation, run by run. */
export interface TraceWriter {
  add(run: FinishedRun): void
  /** Writes the number of runs: a trace without this last line was cut off. */
  end(): void
}

/**
 * Writes all that the runs of a simulation did, with their verdicts, as NDJSON: a line that names the format, one for each run,
 * one with their number. Equal runs give equal traces, to the byte, regardless of where and next to what they ran.
 */
export function traceTo(write: (line: string) => void): TraceWriter {
  let runs = 0
  const line = (value: object) => write(JSON.stringify(value))
  line({ schema: TRACE_SCHEMA })
  return {
    add: (run) => {
      runs += 1
      write(traceLine(run))
    },
    end: () => line({ runs }),
  }
}

export function traceLine({ name, seed, options, steps, struck, log, judged, problem }: FinishedRun): string {
  return JSON.stringify({ name, seed, options, steps, struck, log, judged, problem })
}

/** Opens a trace in a file, and creates its folder if it is missing. @throws {NotWrittenError} also from its functions. */
export function traceFile(path: string): TraceWriter {
  const check = <T>(write: () => T): T => {
    try {
      return write()
    } catch (cause) {
      throw new NotWrittenError(path, cause)
    }
  }
  makeFolder(dirname(path))
  const file = check(() => openSync(path, 'w'))
  const trace = traceTo((line) => check(() => writeSync(file, `${line}\n`)))
  return {
    add: trace.add,
    end: () => {
      trace.end()
      closeSync(file)
    },
  }
}
