/**
 * Writes the JSON schemas of docs/ from their zod schemas; with --check, fails when one is stale. Fails when a field has no
 * description.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { configurationSchema } from '../src/cli/run/configurationSchema.ts'
import { RECORDING_SCHEMA, recordingSchema } from '../src/recordings/format/schema.ts'
import { BASELINE_SCHEMA, baselineSchema } from '../src/reporting/baselineFormat.ts'
import { ABOUT_SCHEMA, aboutSchema } from '../src/reporting/report/about.ts'
import { RESULTS_SCHEMA, resultsSchema } from '../src/reporting/results.ts'
import { VERDICTS_SCHEMA, verdictsSchema } from '../src/reporting/verdicts.ts'
import { SCENARIO_SCHEMA, scenarioFileSchema } from '../src/runner/scenarios/scenarioFile.ts'
import { GOAL_SCHEMA, goalSchema } from '../src/spec/goal.ts'
import { MANIFEST_SCHEMA, manifestSchema } from '../src/spec/manifest.ts'
import {
  CAPABILITIES_SCHEMA,
  capabilitiesSchema,
  KEYS_SCHEMA,
  keysSchema,
} from '../src/targets/description.ts'
import { undescribed } from './schemas/undescribed.ts'

const SCHEMAS = [
  {
    file: 'about.schema.json',
    $id: ABOUT_SCHEMA,
    title: 'The circumstances of a run: about.json',
    schema: aboutSchema,
  },
  {
    file: 'baseline.schema.json',
    $id: BASELINE_SCHEMA,
    title: 'The known failures of a service: plumbline.baseline.json',
    schema: baselineSchema,
  },
  {
    file: 'capabilities.schema.json',
    $id: CAPABILITIES_SCHEMA,
    title: 'What an implementation declares of itself',
    schema: capabilitiesSchema,
  },
  {
    file: 'config.schema.json',
    $id: 'plumbline-config/1',
    title: 'The configuration of a project that runs Plumbline: plumbline.config.json',
    schema: configurationSchema,
  },
  {
    file: 'goal.schema.json',
    $id: GOAL_SCHEMA,
    title: 'What a client under test is to do: the file that SWAP_GOAL names',
    schema: goalSchema,
  },
  {
    file: 'keys.schema.json',
    $id: KEYS_SCHEMA,
    title: 'The API keys that an implementation must accept',
    schema: keysSchema,
  },
  {
    file: 'manifest.schema.json',
    $id: MANIFEST_SCHEMA,
    title: 'The manifest of a Plumbline sandbox',
    schema: manifestSchema,
  },
  {
    file: 'recording.schema.json',
    $id: RECORDING_SCHEMA,
    title: 'A recording of one run',
    schema: recordingSchema,
  },
  {
    file: 'results.schema.json',
    $id: RESULTS_SCHEMA,
    title: 'What one run found: results.json',
    schema: resultsSchema,
  },
  {
    file: 'scenario.schema.json',
    $id: SCENARIO_SCHEMA,
    title: 'A Plumbline scenario',
    schema: scenarioFileSchema,
  },
  {
    file: 'verdicts.schema.json',
    $id: VERDICTS_SCHEMA,
    title: 'The verdicts of a run, equal for equal runs: verdicts.json',
    schema: verdictsSchema,
  },
]

for (const { file, $id, title, schema } of SCHEMAS) {
  const url = new URL(`../docs/${file}`, import.meta.url)
  // The input side: what is written in the file, defaults left out.
  const json = z.toJSONSchema(schema, { io: 'input' })
  for (const field of undescribed(json)) {
    console.error(`docs/${file}: ${field} has no description: add .describe() where its schema is`)
    process.exitCode = 1
  }
  const text = `${JSON.stringify({ $id, title, ...json }, null, 2)}\n`
  if (!process.argv.includes('--check')) writeFileSync(url, text)
  else if (readFileSync(url, 'utf8') !== text) {
    console.error(`docs/${file} is stale: run \`npm run schemas\``)
    process.exitCode = 1
  }
}
