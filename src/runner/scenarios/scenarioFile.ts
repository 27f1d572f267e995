import { z } from 'zod'
import { requirementId } from '../../simulation/steps/schemaParts.ts'
import { type StepInput, stepSchema } from '../../simulation/steps/steps.ts'
import { UsageError } from '../../spec/errors.ts'
import { cut, describeIssue, pointer, shortJson } from '../../spec/issue.ts'
import { readJsonText } from '../../spec/json.ts'
import { assertedAs, type RequirementId } from '../../spec/requirements/index.ts'
import { checkShape } from '../../spec/shape.ts'

export const SCENARIO_SCHEMA = 'plumbline-scenario/1'

/** A named scenario: steps of one or more swaps, with the responses that the reference must give. */
export interface Scenario {
  /** Dotted, `family.name`, from the path of its file. */
  readonly id: string
  /** Says what happens, and why a service could get it wrong. */
  readonly description: string
  /** Requirements that it exercises, the most important first. */
  readonly requirements: readonly [RequirementId, ...RequirementId[]]
  /** Plain JSON. */
  readonly steps: readonly StepInput[]
}

export interface FiledScenario extends Scenario {
  readonly file: string
}

/** A file or folder without valid scenarios. */
export class ScenarioFileError extends UsageError {
  override readonly name = 'ScenarioFileError'
  readonly file: string
  constructor(file: string, problem: string, advice = ADVICE, options?: { cause?: unknown }) {
    super(`${file}: ${problem}`, advice, options)
    this.file = file
  }
}

const ADVICE = 'Correct the file; docs/scenario.schema.json describes every step and field.'

/** The form in which a step refers to a value of its case. */
const AN_EXPRESSION = '"$' + '{name}"'

const $schema = z.string().optional().describe('The address of this schema, for editors.')
const description = z
  .string()
  .min(1)
  .describe('What happens, and why a service could get it wrong. It is the title in reports.')
const requirements = z
  .tuple([requirementId], requirementId)
  .describe('The requirements that the scenario exercises, the most important first.')
/** Ids are printed in full, in every message about their case. */
const ID_CHARACTERS = 200
const id = z
  .string()
  .max(ID_CHARACTERS)
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]*$/, 'letters, digits, "-" and "_"')

const scenarioSchema = z
  .strictObject({
    ...{ $schema, description, requirements },
    steps: z.array(stepSchema).min(1).describe('What happens, in order.'),
  })
  .describe('A scenario. Its id is its place: family/name.json is family.name.')

/** Maximum length of a list of names in an error, in characters. */
const KNOWN_CHARACTERS = 300
/** Maximum number of values and characters in the scenarios of one table: a few lines could expand beyond any memory. */
const FILLED_MAX = 1_000_000

/** Steps with `${…}` in place of values; they are checked once the values are filled in. */
const templateStep = z
  .looseObject({ op: z.string().describe('The kind of the step.') })
  .describe(`A step with ${AN_EXPRESSION} in the place of values.`)

const scenarioTableSchema = z
  .strictObject({
    $schema,
    description: description.optional().describe('Of every case without one of its own.'),
    requirements: requirements.optional().describe('Of every case without requirements of its own.'),
    cases: z
      .array(
        z.strictObject({
          id: id.describe('The last part of the id: in family/table.json the case "name" is family.name.'),
          description: description
            .optional()
            .describe('What happens in this case, instead of the description of the table.'),
          requirements: requirements
            .optional()
            .describe('The requirements of this case, instead of those of the table.'),
          values: z
            .record(z.string().regex(/^[A-Za-z][A-Za-z0-9]*$/), z.json())
            .describe(`The values of ${AN_EXPRESSION} in the steps, by name: any JSON value.`),
        }),
      )
      .min(1)
      .describe('One scenario for each.'),
    steps: z
      .array(templateStep)
      .min(1)
      .describe(
        `The steps of every case. A string that is ${AN_EXPRESSION} as a whole becomes the value, with its type; within a longer string it becomes text.`,
      ),
  })
  .describe('Scenarios that differ in a few values, one for each case.')

/** A scenario file: one scenario, or a table of them. */
export const scenarioFileSchema = z.union([scenarioSchema, scenarioTableSchema])

/**
 * Returns the scenarios of one file: one, or one for each case of a table.
 *
 * @param place path of the file, dotted and without its extension: `family.name`.
 * @throws {ScenarioFileError}
 */
export function parseScenarios(file: string, place: string, text: string): readonly Scenario[] {
  const read = readJsonText(text)
  if ('problem' in read) {
    const detail = read.cause instanceof Error ? `: ${read.cause.message}` : ''
    throw new ScenarioFileError(file, `it ${read.problem}${detail}`, ADVICE, { cause: read.cause })
  }
  const { json } = read
  const isTable = typeof json === 'object' && json !== null && 'cases' in json
  return isTable ? casesOf(file, place, json) : [scenarioOf(file, place, json)]
}

function casesOf(file: string, place: string, json: unknown): readonly Scenario[] {
  const table = parse(file, scenarioTableSchema, json)
  let filledSize = 0
  const family = place.includes('.') ? place.slice(0, place.lastIndexOf('.') + 1) : ''
  return table.cases.map((row, index) => {
    const used = new Set<string>()
    const fill = (value: unknown, path: readonly PropertyKey[]): unknown =>
      fillTemplate(value, path, {
        values: row.values,
        used,
        grow: (size) => {
          filledSize += size
          if (filledSize <= FILLED_MAX) return
          const most = FILLED_MAX.toLocaleString('en')
          const problem = `its scenarios have more than ${most} values and characters, with those of \${…}`
          throw new ScenarioFileError(file, problem, 'Use shorter values, or fewer cases in one file.')
        },
        refuse: (problem) => {
          throw new ScenarioFileError(file, `${problem} (case ${row.id})`)
        },
      })
    const filled = {
      description: fill(row.description ?? table.description, ['cases', index, 'description']),
      requirements: row.requirements ?? table.requirements,
      steps: fill(table.steps, ['steps']),
    }
    const unused = Object.keys(row.values).find((name) => !used.has(name))
    if (unused !== undefined) {
      const at = pointer(['cases', index, 'values', unused])
      const name = cut(unused, KNOWN_CHARACTERS)
      throw new ScenarioFileError(file, `${at} is used nowhere; write "\${${name}}" in a step`)
    }
    return scenarioOf(file, `${family}${row.id}`, filled, ` (case ${row.id})`)
  })
}

function scenarioOf(file: string, id: string, json: unknown, where = ''): Scenario {
  const { description, requirements, steps } = parse(file, scenarioSchema, json, where)
  const [first, ...others] = requirements
  return { id, description, requirements: [assertedAs(first), ...others.map(assertedAs)], steps }
}

/** @throws {ScenarioFileError} */
function parse<Schema extends z.ZodType>(
  file: string,
  schema: Schema,
  json: unknown,
  where = '',
): z.output<Schema> {
  const shaped = checkShape(schema, json)
  if ('data' in shaped) return shaped.data
  throw new ScenarioFileError(file, `${describeIssue(schema, json, shaped.issue)}${where}`)
}

interface Filling {
  readonly values: Readonly<Record<string, unknown>>
  /** Names that occurred; filling adds to it. */
  readonly used: Set<string>
  /** Counts a size before it is written. @throws {ScenarioFileError} the total is too large. */
  readonly grow: (size: number) => void
  /** Throws, for a name without a value or an object within text. */
  readonly refuse: (problem: string) => never
}

/**
 * Returns a JSON value with every `${name}` in its strings replaced: a string that consists of one becomes the value with its
 * type; within a longer string the value becomes text.
 *
 * @param path position of the value in its file.
 */
function fillTemplate(value: unknown, path: readonly PropertyKey[], filling: Filling): unknown {
  filling.grow(1)
  if (Array.isArray(value)) {
    return value.map((each, index) => fillTemplate(each, [...path, index], filling))
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value)
    return Object.fromEntries(
      members.map(([key, each]) => [key, fillTemplate(each, [...path, key], filling)]),
    )
  }
  return typeof value === 'string' ? fillText(value, path, filling) : value
}

function fillText(
  text: string,
  path: readonly PropertyKey[],
  { values, used, grow, refuse }: Filling,
): unknown {
  const lookUp = (name: string): unknown => {
    used.add(name)
    if (Object.hasOwn(values, name)) return values[name]
    const known = cut(Object.keys(values).join(', '), KNOWN_CHARACTERS) || 'none'
    return refuse(`${pointer(path)} uses \${${name}}; the values of the case are: ${known}`)
  }
  const whole = text.match(/^\$\{([A-Za-z0-9]+)\}$/)?.[1]
  if (whole !== undefined) return lookUp(whole)
  return text.replaceAll(/\$\{([A-Za-z0-9]+)\}/g, (_, name: string) => {
    const value = lookUp(name)
    if (typeof value === 'object')
      return refuse(`${pointer(path)} has \${${name}} within text; its value is ${shortJson(value)}`)
    const written = String(value)
    grow(written.length)
    return written
  })
}
