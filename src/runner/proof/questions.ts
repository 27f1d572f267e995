import { PARTNER_KEYS } from '../../fixtures/partners.ts'
import { groupBy } from '../../reporting/groupBy.ts'
import type { Exchange, HttpRequest } from '../../spec/exchange.ts'
import { isObject, parseJson } from '../../spec/json.ts'
import type { RequirementId } from '../../spec/requirements/index.ts'

/** One request of a case, judged for one requirement. */
export interface Question {
  readonly requirement: RequirementId
  /** The request as text, without the parts that differ from run to run. */
  readonly request: string
}

export interface Asked {
  readonly case: string
  readonly questions: readonly Question[]
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const HASH = /0x[0-9a-f]{64}/g
const KEY_NAMES = new Map(
  Object.entries(PARTNER_KEYS).map(([name, { secret }]) => [`Bearer ${secret}`, name]),
)

/**
 * Returns the requests of a case, each once: keys by name, fields sorted, transaction hashes and the identifiers that the
 * service issued replaced. Two requests with the same text are the same to any service in the same state.
 */
export function requestsOf(exchanges: readonly Exchange[]): readonly string[] {
  const issued = new Set<string>()
  const requests = exchanges.map(({ request, response }) => {
    const text = textOf(request)
      .replace(HASH, '<hash>')
      .replace(UUID, (id) => (issued.has(id) ? '<id>' : id))
    for (const [id] of response.body.matchAll(UUID)) issued.add(id)
    return text
  })
  return [...new Set(requests)]
}

function textOf({ method, path, headers, body }: HttpRequest): string {
  const [place = '', query = ''] = path.split('?')
  const { authorization } = headers
  const key = authorization === undefined ? 'none' : (KEY_NAMES.get(authorization) ?? authorization)
  const fields = [...new URLSearchParams(query)].map(([name, value]) => `${name}=${value}`).toSorted()
  return [method, place, `key ${key}`, fields.join('&'), sorted(body ?? '')].filter(Boolean).join(' ')
}

/** Returns a JSON object with its members in alphabetical order; any other body unchanged. */
function sorted(body: string): string {
  const json = parseJson(body)
  if (!isObject(json)) return body
  return JSON.stringify(Object.fromEntries(Object.entries(json).toSorted()))
}

/** Returns, by case, the questions that no other case asks. */
export function ownQuestions(asked: readonly Asked[]): ReadonlyMap<string, readonly Question[]> {
  const askers = askersOf(asked)
  return new Map(
    asked.map(({ case: id, questions }) => [
      id,
      questions.filter((question) => askers.get(keyOf(question))?.length === 1),
    ]),
  )
}

/** Returns other cases that together ask every question of this one, those that ask the most first. */
export function coveredBy(id: string, asked: readonly Asked[]): readonly string[] {
  const own = asked.find((one) => one.case === id)?.questions ?? []
  let open = new Set(own.map(keyOf))
  const others = asked
    .filter((one) => one.case !== id)
    .map((one) => ({ id: one.case, keys: one.questions.map(keyOf).filter((key) => open.has(key)) }))
    .toSorted((a, b) => b.keys.length - a.keys.length)
  return others.flatMap((other) => {
    const left = new Set([...open].filter((key) => !other.keys.includes(key)))
    const helps = left.size < open.size
    open = left
    return helps ? [other.id] : []
  })
}

function askersOf(asked: readonly Asked[]): ReadonlyMap<string, readonly string[]> {
  const each = asked.flatMap(({ case: id, questions }) => questions.map((one) => ({ id, key: keyOf(one) })))
  return new Map([...groupBy(each, ({ key }) => key)].map(([key, own]) => [key, own.map(({ id }) => id)]))
}

const keyOf = ({ requirement, request }: Question) => `${requirement} ${request}`
