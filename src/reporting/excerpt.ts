import { isCut, shortenText } from '../spec/cutText.ts'
import { cut } from '../spec/issue.ts'
import { isRequirementId, requirement } from '../spec/requirements/index.ts'
import type { CaseResult } from './results.ts'

type Path = readonly string[]
type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

/** Maximum of characters for a value in an excerpt, which may be a whole list. */
const MOST_OF_A_VALUE = 200
/** Maximum depth: a target may nest its body deeper than a function can recurse. */
const MOST_DEPTH = 8
const ELLIPSIS = '…'
/** Certain fields in a text: a path such as `alternatives[1].deltaBps`, and any name before a colon. */
const PATHS = /(?<![\w"'.])(?:[a-z]\w*(?:\[\d+\])*(?:\.\w+(?:\[\d+\])*)+|[a-z]\w*(?=: ))(?![\w"'])/g
/** Possible fields: `midRate`. */
const NAMES = /(?<![\w"'.])[a-z]+[A-Z]\w*(?![\w"'])/g
const IN_BACKTICKS = /`([a-z]\w*(?:\.\w+)*)`/g

/** The fields that a failure is about, as the last parts of their paths. */
export interface FailedFields {
  /** Paths that appear in the expected or the actual value. */
  readonly given: readonly Path[]
  /** Names that these values and the broken requirements mention; used only if no path is given. */
  readonly named: readonly Path[]
  /** The object whose field is meant: `alternatives`, for example, from the first word of the requirement. */
  readonly within: string
}

const pathOf = (name: string): Path => name.split(/[.[\]]+/).filter(Boolean)

/** Returns the fields that a failure is about. */
export function fieldsOf({ failure }: Pick<CaseResult, 'failure'>): FailedFields {
  const promises = failure === null ? [] : [failure, ...(failure.others ?? [])]
  const texts = promises.map(({ expected, actual }) => `${expected}\n${actual}`)
  const statements = promises.flatMap(({ requirement: id }) =>
    id !== null && isRequirementId(id) ? [requirement(id).statement] : [],
  )
  const required = statements.flatMap((text) => [...text.matchAll(IN_BACKTICKS)].map(([, name = '']) => name))
  const found = (pattern: RegExp) => texts.flatMap((text) => text.match(pattern) ?? [])
  const paths = (names: readonly string[]) => [...new Set(names)].map(pathOf)
  return {
    given: paths(found(PATHS)),
    named: paths([...required, ...found(NAMES)]),
    within: failure?.requirement?.split('.', 1)[0] ?? '',
  }
}

/**
 * Returns an excerpt of a body: all of a short one; otherwise the fields that matter, in their place:
 * `{"route":{…,"midRate":0,…},…}`; or its beginning if it has none of them, or is not JSON.
 */
export function excerpt(body: string, fields: FailedFields, mostCharacters: number): string {
  const beginning = shortenText(body, mostCharacters)
  if (body.length <= mostCharacters || isCut(body)) return beginning
  const json = parse(body)
  if (json === undefined) return beginning
  const paths = pathsIn(json, [])
  const given = fields.given.flatMap((field) => givenBy(field, paths))
  const wanted =
    given.length > 0 ? given : fields.named.flatMap((field) => meantBy(field, paths, fields.within))
  if (wanted.length === 0) return beginning
  const text = shown(json, [], new Set(wanted.map(keyOf)))
  return `${cut(text, mostCharacters)} (of ${body.length} characters)`
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

const keyOf = (path: Path) => path.join('\n')

const endingIn = (paths: readonly Path[], field: Path) =>
  paths.filter((path) => keyOf(path.slice(-field.length)) === keyOf(field))

/** Returns the paths that end in this one; if there are none, those that end in its parent. */
function givenBy(field: Path, paths: readonly Path[]): readonly Path[] {
  const found = endingIn(paths, field)
  return found.length > 0 || field.length === 1 ? found : givenBy(field.slice(0, -1), paths)
}

/** Returns the fields of a name that are meant: those within the requirement's object if there are any, and the least nested. */
function meantBy(field: Path, paths: readonly Path[], within: string): readonly Path[] {
  const all = endingIn(paths, field)
  const inside = all.filter((path) => path.includes(within))
  const found = inside.length > 0 ? inside : all
  const depth = Math.min(...found.map(({ length }) => length))
  return found.filter(({ length }) => length === depth)
}

const membersOf = (json: Json): readonly (readonly [string, Json])[] =>
  typeof json === 'object' && json !== null ? Object.entries(json) : []

function pathsIn(json: Json, path: Path): readonly Path[] {
  if (path.length >= MOST_DEPTH) return []
  return membersOf(json).flatMap(([name, member]) => [[...path, name], ...pathsIn(member, [...path, name])])
}

/** Returns the text of a value, cut; `…` for one that is nested too deeply to be written. */
function textOf(json: Json): string {
  try {
    return shortenText(JSON.stringify(json), MOST_OF_A_VALUE)
  } catch {
    return ELLIPSIS
  }
}

/** Returns a value with its wanted parts, and `…` for the rest; an entry of a list keeps its first field. */
function shown(json: Json, path: Path, wanted: ReadonlySet<string>, isEntry = false): string {
  if (wanted.has(keyOf(path))) return textOf(json)
  if (path.length >= MOST_DEPTH) return ELLIPSIS
  const isList = Array.isArray(json)
  const members = membersOf(json).map(([name, member]) => ({
    label: isList ? '' : `${JSON.stringify(name)}:`,
    text: shown(member, [...path, name], wanted, isList),
    member,
  }))
  if (members.every(({ text }) => text === ELLIPSIS)) return ELLIPSIS
  const parts = members.map(({ label, text, member }, index) => {
    const begins = isEntry && index === 0 && typeof member !== 'object'
    if (text !== ELLIPSIS) return `${label}${text}`
    return begins ? `${label}${textOf(member)}` : ELLIPSIS
  })
  const kept = parts.filter((part, index) => part !== ELLIPSIS || parts[index - 1] !== ELLIPSIS)
  return isList ? `[${kept.join(',')}]` : `{${kept.join(',')}}`
}
