import type { z } from 'zod'
import { nearest } from './nearest.ts'

type Issue = z.core.$ZodIssue
type Path = readonly PropertyKey[]

/** Maximum length of a printed list of allowed values. */
const LISTED_VALUES = 60
const SHOWN_CHARACTERS = 80
/** Maximum depth of a printed value: a file may be nested deeper than a recursive writer can go. */
const SHOWN_DEPTH = 4
/** Maximum length of a printed path; members may have names of any length. */
const SHOWN_PATH_CHARACTERS = 200

interface DescribeOptions {
  /** True if the value may hold a secret, so that only its type is named. */
  readonly secret?: boolean
}

/**
 * Describes an issue of a JSON value in one sentence of bounded length: the JSON pointer, the actual value, the allowed ones.
 *
 * @param schema the schema that refused the value.
 */
export function describeIssue(
  schema: z.ZodType,
  value: unknown,
  issue: Issue,
  { secret = false }: DescribeOptions = {},
): string {
  if (issue.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys
    const known = membersAt(schema, value, issue.path)
    const allowed = known.length === 0 ? '' : `; allowed members: ${known.join(', ')}`
    return `${pointer([...issue.path, key])} is not a known member${meant(nearest(key, known))}${allowed}`
  }
  const actual = at(value, issue.path)
  const misspelt = actual === undefined ? misspeltMember(value, issue.path) : null
  if (misspelt !== null) return misspelt
  const found = actual === undefined ? 'is missing' : `is ${secret ? typeNameOf(actual) : shortJson(actual)}`
  const expected = expectedOf(issue)
  // The messages of Plumbline's schemas are sentences about the value.
  const wanted = /^(?:must|is) /.test(expected) ? `it ${expected}` : `expected ${expected}`
  return `${pointer(issue.path)} ${found}; ${wanted}`
}

const meant = (member: string | null) => (member === null ? '' : `; did you mean ${member}?`)

/** Reports a missing member that is present under a misspelt name; null: there is no such name. */
function misspeltMember(value: unknown, path: Path): string | null {
  const member = path.at(-1)
  const within = at(value, path.slice(0, -1))
  if (typeof member !== 'string' || typeof within !== 'object' || within === null) return null
  const written = Object.keys(within).find((key) => nearest(key, [member]) !== null)
  if (written === undefined) return null
  return `${pointer([...path.slice(0, -1), written])} is not a known member${meant(member)}`
}

/** Returns a path as a JSON pointer (RFC 6901), cut off if it is long; the root is "the file". */
export function pointer(path: Path): string {
  if (path.length === 0) return 'the file'
  return cut(
    path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
    SHOWN_PATH_CHARACTERS,
  )
}

/** Returns a JSON value as text, cut off if it is long or deep. */
export function shortJson(value: unknown): string {
  const text = JSON.stringify(shallow(value, SHOWN_DEPTH)) ?? 'missing'
  return cut(text, SHOWN_CHARACTERS)
}

function shallow(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.slice(0, SHOWN_CHARACTERS)
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) return '…'
  if (Array.isArray(value)) return value.slice(0, SHOWN_CHARACTERS).map((each) => shallow(each, depth - 1))
  const members = Object.entries(value).slice(0, SHOWN_CHARACTERS)
  return Object.fromEntries(members.map(([name, member]) => [name, shallow(member, depth - 1)]))
}

export function cut(text: string, most = SHOWN_CHARACTERS): string {
  return text.length > most ? `${text.slice(0, most)}…` : text
}

function typeNameOf(value: unknown): string {
  if (value === null) return 'null'
  return TYPES[Array.isArray(value) ? 'array' : typeof value] ?? typeof value
}

function expectedOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return TYPES[issue.expected] ?? issue.expected
    case 'invalid_value':
      return issue.values.length > LISTED_VALUES ? issue.message : oneOf(issue.values)
    case 'invalid_union': {
      const { options } = issue as { readonly options?: readonly unknown[] }
      if (options !== undefined) return oneOf(options)
      const each = issue.errors.flatMap(([first]) => (first === undefined ? [] : [expectedOf(first)]))
      return [...new Set(each)].join(' or ')
    }
    case 'too_small':
      // zod's own message starts like this.
      if (!issue.message.startsWith('Too small')) return issue.message
      return `at least ${issue.minimum}${issue.origin === 'array' ? ' elements' : ''}`
    case 'too_big':
      return `at most ${issue.maximum}${issue.origin === 'array' ? ' elements' : ''}`
    case 'not_multiple_of':
      return `a multiple of ${issue.divisor}`
    case 'invalid_format':
      return FORMATS[issue.message] ?? issue.message.replace(/^Invalid string: /, '')
    case 'invalid_key':
      return `another name, which ${issue.issues[0] === undefined ? 'is none' : expectedOf(issue.issues[0])}`
    default:
      return issue.message
  }
}

/** Words for formats whose message is zod's own. */
const FORMATS: Readonly<Record<string, string>> = {
  'Invalid URL': 'a URL',
  'Invalid ISO date': 'a date as YYYY-MM-DD',
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'an array',
  null: 'null',
}

function oneOf(values: readonly unknown[]): string {
  const texts = values.map((value) => JSON.stringify(value))
  return texts.length === 1 ? (texts[0] as string) : `one of ${texts.join(', ')}`
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (within, part) =>
      typeof within === 'object' && within !== null
        ? (within as Record<PropertyKey, unknown>)[part]
        : undefined,
    value,
  )
}

/** Returns the members that an object at a path may have; none if the schema does not define them. */
function membersAt(schema: z.ZodType, value: unknown, path: Path): readonly string[] {
  const { def } = schema as unknown as { readonly def: Def }
  if (def.innerType !== undefined) return membersAt(def.innerType, value, path)
  if (def.options !== undefined) {
    const member = (value as Record<string, unknown> | null)?.[def.discriminator ?? '']
    const option = def.options.find((each) => {
      const shape = (each as unknown as { readonly def: Def }).def.shape
      const tag = shape?.[def.discriminator ?? ''] as unknown as { readonly def: Def } | undefined
      return tag?.def.values?.includes(member) ?? false
    })
    return option === undefined ? [] : membersAt(option, value, path)
  }
  const [first, ...rest] = path
  if (first === undefined) return Object.keys(def.shape ?? {})
  const inner = def.shape?.[String(first)] ?? def.element ?? def.valueType
  return inner === undefined ? [] : membersAt(inner, at(value, [first]), rest)
}

/** The parts of zod's definitions that lead to the members of an object. */
interface Def {
  readonly shape?: Readonly<Record<string, z.ZodType>>
  readonly element?: z.ZodType
  readonly valueType?: z.ZodType
  readonly innerType?: z.ZodType
  readonly options?: readonly z.ZodType[]
  readonly discriminator?: string
  readonly values?: readonly unknown[]
}
