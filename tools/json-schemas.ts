/** Writes the JSON schemas of docs/ from their zod schemas; with --check, fails when one is stale. */
import { readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { configurationSchema } from '../src/cli/run/configurationSchema.ts'
import { SCENARIO_SCHEMA, scenarioFileSchema } from '../src/runner/scenarios/scenarioFile.ts'
import { GOAL_SCHEMA, goalSchema } from '../src/spec/goal.ts'
import { MANIFEST_SCHEMA, manifestSchema } from '../src/spec/manifest.ts'

const SCHEMAS = [
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
    file: 'manifest.schema.json',
    $id: MANIFEST_SCHEMA,
    title: 'The manifest of a Plumbline sandbox',
    schema: manifestSchema,
  },
  {
    file: 'scenario.schema.json',
    $id: SCENARIO_SCHEMA,
    title: 'A Plumbline scenario',
    schema: scenarioFileSchema,
  },
]

for (const { file, $id, title, schema } of SCHEMAS) {
  const url = new URL(`../docs/${file}`, import.meta.url)
  // The input side: what is written in the file, defaults left out.
  const text = `${JSON.stringify({ $id, title, ...z.toJSONSchema(schema, { io: 'input' }) }, null, 2)}\n`
  if (!process.argv.includes('--check')) writeFileSync(url, text)
  else if (readFileSync(url, 'utf8') !== text) {
    console.error(`docs/${file} is stale: run \`npm run schemas\``)
    process.exitCode = 1
  }
}
