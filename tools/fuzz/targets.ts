import type { Target } from './target.ts'
import {
  baselineTarget,
  capabilitiesTarget,
  failureTarget,
  keysTarget,
  manifestTarget,
  resultsTarget,
  scenarioTarget,
} from './targets/formats.ts'
import { judgesTarget } from './targets/judges.ts'
import { recordingTarget } from './targets/recordings.ts'
import { httpTarget, rpcTarget } from './targets/serving.ts'

/** Every target by name. Some start their own world. */
export const TARGETS: Readonly<Record<string, () => Target | Promise<Target>>> = {
  http: httpTarget,
  rpc: rpcTarget,
  manifest: manifestTarget,
  capabilities: capabilitiesTarget,
  keys: keysTarget,
  baseline: baselineTarget,
  failure: failureTarget,
  results: resultsTarget,
  recording: recordingTarget,
  scenario: scenarioTarget,
  judges: judgesTarget,
}
