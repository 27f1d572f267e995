/**
 * Writes the JSON schemas of docs/ from their zod schemas; with --check, fails if one is stale. Fails if a field has no
 * description.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { READ, WRITTEN } from './schemas/formats.ts'
import { undescribed } from './schemas/undescribed.ts'

for (const [name, $id, schema, title] of [...READ, ...WRITTEN]) {
  const file = `${name}.schema.json`
  const url = new URL(`../docs/${file}`, import.meta.url)
  // The input side: the file as written, without defaults.
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
