import { isCut, shortenText } from '../spec/cutText.ts'
import { cut } from '../spec/issue.ts'
import { isRequirementId, requirement } from '../spec/requirements/index.ts'
import type { CaseRow } from './results.ts'

type Path = readonly string[]
type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

/** A value in an excerpt may be a whole list. */
const MOST_OF_A_VALUE = 200
/** A target may nest its body deeper than a function can call itself. */
const MOST_DEPTH = 8
const ELLIPSIS = '…'
/** Names of fields in a text about them: `alternatives[1].deltaBps`, `midRate`, and before a colon any: `to: "us"`. */
const IN_TEXT =
  /(?<![\w"'.])(?:[a-z]\w*(?:(?:\[\d+\])?\.\w+(?:\[\d+\])?)+|[a-z]+[A-Z]\w*|[a-z]\w*(?=: ))(?![\w"'])/g
const IN_BACKTICKS = /`([a-z]\w*(?:\.\w+)*)`/g

/**
 * The fields that a failure is about, as the last parts of their paths: those that what was expected and what there was
 * name, and then those of the broken requirements, for a body that has none of the first.
 */
export function fieldsOf({ failure }: Pick<CaseRow, 'failure'>): readonly (readonly Path[])[] {
  if (failure === null) return []
  const promises = [failure, ...(failure.others ?? [])]
  const named = promises.flatMap(({ expected, seen }) => `${expected}\n${seen}`.match(IN_TEXT) ?? [])
  const required = promises.flatMap(({ requirement: id }) =>
    id === null || !isRequirementId(id)
      ? []
      : [...requirement(id).statement.matchAll(IN_BACKTICKS)].map(([, name = '']) => name),
  )
  const pathOf = (name: string) => name.split(/[.[\]]+/).filter(Boolean)
  return [named, required].map((names) => [...new Set(names)].map(pathOf))
}

/**
 * A body as far as it is shown: as it is where it is short; otherwise the fields that matter, with where they are:
 * `{"route":{…,"midRate":0,…},…}`; its beginning where it has none of them, or is no JSON.
 *
 * @param fields the last parts of the paths of the fields that matter; of several lists the first counts that it has any of
 */
export function excerpt(body: string, fields: readonly (readonly Path[])[], mostCharacters: number): string {
  const beginning = shortenText(body, mostCharacters)
  if (body.length <= mostCharacters || isCut(body)) return beginning
  const json = parse(body)
  if (json === undefined) return beginning
  const paths = pathsIn(json, [])
  const wanted = fields.map((each) => wantedIn(paths, each)).find(({ size }) => size > 0)
  if (wanted === undefined) return beginning
  return `${cut(shown(json, [], wanted), mostCharacters)} (of ${body.length} characters)`
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

const keyOf = (path: Path) => path.join('\n')

/** The paths of the members that end in a wanted one; where a wanted one is missing, of what should hold it. */
function wantedIn(paths: readonly Path[], fields: readonly Path[]): ReadonlySet<string> {
  const endingIn = (field: Path) => paths.filter((path) => keyOf(path.slice(-field.length)) === keyOf(field))
  return new Set(
    fields
      .flatMap((field) => {
        const found = endingIn(field)
        return found.length > 0 || field.length === 1 ? found : endingIn(field.slice(0, -1))
      })
      .map(keyOf),
  )
}

const membersOf = (json: Json): readonly (readonly [string, Json])[] =>
  typeof json === 'object' && json !== null ? Object.entries(json) : []

function pathsIn(json: Json, path: Path): readonly Path[] {
  if (path.length >= MOST_DEPTH) return []
  return membersOf(json).flatMap(([name, member]) => [[...path, name], ...pathsIn(member, [...path, name])])
}

/** A value with what is wanted of it, and `…` for whatever is between; an entry of a list keeps what it begins with. */
function shown(json: Json, path: Path, wanted: ReadonlySet<string>, isEntry = false): string {
  if (wanted.has(keyOf(path))) return shortenText(JSON.stringify(json), MOST_OF_A_VALUE)
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
    return begins ? `${label}${shortenText(JSON.stringify(member), MOST_OF_A_VALUE)}` : ELLIPSIS
  })
  const kept = parts.filter((part, index) => part !== ELLIPSIS || parts[index - 1] !== ELLIPSIS)
  return isList ? `[${kept.join(',')}]` : `{${kept.join(',')}}`
}
