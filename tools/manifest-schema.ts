/** Writes docs/manifest.schema.json from the manifest's zod schema; with --check, fails when the file is stale. */
import { readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { MANIFEST_SCHEMA, manifestSchema } from '../src/spec/manifest.ts'

const FILE = new URL('../docs/manifest.schema.json', import.meta.url)

const schema = {
  $id: MANIFEST_SCHEMA,
  title: 'What a Plumbline sandbox tells about itself',
  // The input side: addresses and hashes as the text they are in the file.
  ...z.toJSONSchema(manifestSchema, { io: 'input' }),
}
const text = `${JSON.stringify(schema, null, 2)}\n`

if (!process.argv.includes('--check')) {
  writeFileSync(FILE, text)
} else if (readFileSync(FILE, 'utf8') !== text) {
  console.error('docs/manifest.schema.json is stale: run `npm run manifest-schema`')
  process.exitCode = 1
}
