import { z } from 'zod'
import { NEEDS } from '../../spec/requirements/index.ts'
import { INSTANCES_MAX, VARIABLE_NAME } from './options.ts'

/** More than any project lists, and few enough to compare each with every case. */
const ENTRIES_MAX = 1_000
/** The operating system refuses a longer argument. */
const CHARACTERS_MAX = 100_000

const text = z.string().min(1, 'must not be empty').max(CHARACTERS_MAX)
const path = text.describe('A path, relative to this file.')
const patterns = z.array(text).min(1).max(ENTRIES_MAX)

/** Returns whether a text is an HTTP or HTTPS URL without a query or fragment. */
export function isBaseUrl(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, search, hash } = new URL(url)
  return ['http:', 'https:'].includes(protocol) && search === '' && hash === ''
}

/** Members that hold a path or a list of paths. */
export const PATHS = ['sandbox', 'keys', 'capabilities', 'baseline', 'out', 'scenarios'] as const

/**
 * Schema of `plumbline.config.json`: flags that a project always passes to `plumbline conform` and `plumbline run`. Each member
 * is named after its flag.
 */
export const configurationSchema = z
  .strictObject({
    $schema: z.string().optional().describe('The address of this schema, for editors.'),
    start: text
      .describe('Starts the implementation; run in the folder of this file. Not together with target.')
      .optional(),
    instances: z
      .int()
      .min(1)
      .max(INSTANCES_MAX)
      .describe('Number of copies of it that run cases concurrently, each on its own chain; only with start.')
      .optional(),
    target: z
      .string()
      .refine(isBaseUrl, 'must be a base URL like http://127.0.0.1:8080')
      .describe('The base URL of an implementation that is running already.')
      .optional(),
    profile: z.enum(NEEDS).describe('How far a run reaches into the target.').optional(),
    sandbox: path
      .optional()
      .describe('A path, relative to this file: the manifest of the chain of a running implementation.'),
    keys: path.optional().describe('A path, relative to this file: the API keys of the cases.'),
    capabilities: path
      .optional()
      .describe('A path, relative to this file: what the implementation declares.'),
    env: z
      .array(z.string().regex(VARIABLE_NAME, 'must be the name of a variable, such as MY_TOKEN'))
      .min(1)
      .max(ENTRIES_MAX)
      .describe('Names of variables of the environment that the implementation gets as well.')
      .optional(),
    baseline: path.optional().describe('A path, relative to this file: the known failures.'),
    out: path.optional().describe('A path, relative to this file: the folder of the results.'),
    only: patterns.describe('Run these cases: ids, globs of ids, requirements or sections.').optional(),
    skip: patterns.describe('Skip these cases.').optional(),
    withProperties: z.boolean().optional().describe('Run generated cases as well.'),
    withScenarios: z.boolean().optional().describe('Run the scenarios as well.'),
    scenarios: z
      .array(path)
      .min(1)
      .max(ENTRIES_MAX)
      .optional()
      .describe('Files and folders of scenarios of your own, relative to this file.'),
    effort: z.enum(['quick', 'full']).describe('How many cases are generated for each property.').optional(),
    seed: z.int().min(0).max(999_999_999).optional().describe('Decides every random choice of a run.'),
    timeout: z.int().min(0).max(999_999_999).describe('Seconds that a whole run may take.').optional(),
    strict: z.boolean().optional().describe('Count conventions as failures.'),
    bail: z.boolean().optional().describe('Stop at the first failure.'),
    annotations: z.boolean().optional().describe('Print annotations of failures for CI.'),
  })
  .refine(({ start, target }) => start === undefined || target === undefined, {
    path: ['target'],
    message: 'must not be given together with start: each names an implementation',
  })
export type Configuration = z.output<typeof configurationSchema>

/** An example with every member, shown when a file has the wrong shape. */
export const CONFIGURATION_SHOWN =
  '{ "start": "./my-service" or "target": "http://127.0.0.1:8080", "instances": 1 to 16, "profile": "http" or "sandbox", "sandbox", "keys", "capabilities", "baseline" and "out": paths, "env", "only", "skip" and "scenarios": lists, "withProperties", "withScenarios", "strict", "bail" and "annotations": true or false, "effort": "quick" or "full", "seed" and "timeout": whole numbers }; every member is optional.'
