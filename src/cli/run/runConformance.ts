import { quoted, shellWord } from '../../host/shellWord.ts'
import type { Outcome } from '../../runner/runRequest.ts'
import type { Ending } from '../../runner/verdict.ts'
import type { Output } from '../output.ts'
import { type ConformSuites, conformSuites } from '../suites.ts'
import type { RunOptions } from './flags.ts'
import { runFromFlags } from './runFromFlags.ts'

/** The options of `plumbline conform`. */
export interface ConformOptions extends RunOptions {
  readonly withProperties?: boolean
  readonly withScenarios?: boolean
  /** The former name of `withScenarios`. */
  readonly scenarios?: string[]
  /** The id of a known-broken service that takes the place of the reference. */
  readonly defect?: string
}

/** Checks an implementation against the specification, as the flags of `plumbline conform` say. */
export async function runConformance(
  target: string | undefined,
  options: ConformOptions,
  output: Output,
): Promise<Ending> {
  const conform = suitesOf(options)
  const running = {
    command: 'conform',
    suites: conformSuites(conform),
    conform,
    ...(options.defect === undefined ? {} : { defect: options.defect }),
    flags: flagsOf(options),
    json: ({ verdicts }: Outcome) => verdicts,
  } as const
  return runFromFlags(target, options, running, output)
}

/** Returns the suites, as plain data. */
function suitesOf(options: ConformOptions): ConformSuites {
  const { seed, budget, withProperties = false, scenarios = [] } = options
  return { seed, budget, withProperties, withScenarios: withScenarios(options), scenarios }
}

function flagsOf(options: ConformOptions): readonly string[] {
  return [
    ...(options.withProperties ? ['--with-properties'] : []),
    ...(withScenarios(options) ? ['--with-scenarios'] : []),
    ...(options.defect === undefined ? [] : [`--defect ${shellWord(options.defect)}`]),
    ...(options.scenarios ?? []).map((path) => `--scenarios ${quoted(path)}`),
  ]
}

function withScenarios(options: ConformOptions): boolean {
  return options.withScenarios ?? false
}
