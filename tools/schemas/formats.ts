import type { z } from 'zod'
import { configurationSchema } from '../../src/cli/run/configurationSchema.ts'
import { RECORDING_SCHEMA, recordingSchema } from '../../src/recordings/format/schema.ts'
import { BASELINE_SCHEMA, baselineSchema } from '../../src/reporting/baselineFormat.ts'
import { ABOUT_SCHEMA, aboutSchema } from '../../src/reporting/report/about.ts'
import { RESULTS_SCHEMA, resultsSchema } from '../../src/reporting/results.ts'
import { VERDICTS_SCHEMA, verdictsSchema } from '../../src/reporting/verdicts.ts'
import { SCENARIO_SCHEMA, scenarioFileSchema } from '../../src/runner/scenarios/scenarioFile.ts'
import { GOAL_SCHEMA, goalSchema } from '../../src/spec/goal.ts'
import { MANIFEST_SCHEMA, manifestSchema } from '../../src/spec/manifest.ts'
import {
  CAPABILITIES_SCHEMA,
  capabilitiesSchema,
  KEYS_SCHEMA,
  keysSchema,
} from '../../src/targets/description.ts'

/** A file format that Plumbline shares with others. */
type Format = readonly [name: string, $id: string, schema: z.ZodType, title: string]

const CONFIGURATION = 'The configuration of a project that runs Plumbline: plumbline.config.json'

/** Formats that others write and Plumbline reads. */
export const READ: readonly Format[] = [
  ['baseline', BASELINE_SCHEMA, baselineSchema, 'The known failures of a service: plumbline.baseline.json'],
  ['capabilities', CAPABILITIES_SCHEMA, capabilitiesSchema, 'The declared capabilities of an implementation'],
  ['config', 'plumbline-config/1', configurationSchema, CONFIGURATION],
  ['keys', KEYS_SCHEMA, keysSchema, 'The API keys that an implementation must accept'],
  ['scenario', SCENARIO_SCHEMA, scenarioFileSchema, 'A Plumbline scenario'],
]

/** Formats that Plumbline writes and others read. */
export const WRITTEN: readonly Format[] = [
  ['about', ABOUT_SCHEMA, aboutSchema, 'The circumstances of a run: about.json'],
  ['goal', GOAL_SCHEMA, goalSchema, 'The task of a client under test: the file that SWAP_GOAL names'],
  ['manifest', MANIFEST_SCHEMA, manifestSchema, 'The manifest of a Plumbline sandbox'],
  ['recording', RECORDING_SCHEMA, recordingSchema, 'A recording of one run'],
  ['results', RESULTS_SCHEMA, resultsSchema, 'The results of one run: results.json'],
  ['verdicts', VERDICTS_SCHEMA, verdictsSchema, 'The verdicts of a run, equal for equal runs: verdicts.json'],
]
