import { type Finder, patternFinder, type Range, secretFinder } from './find.ts'

/** The text that replaces a secret. */
export const REDACTED = '<redacted>'

/** Removes secrets from a text. */
export type Redact = (text: string) => string

/** Credentials that are not among the given secrets: text after `Bearer`, the user of a URL. Each looks back a limited way. */
const UNNAMED: readonly Finder[] = [
  patternFinder(/(?<=bearer\s{1,64})(?!\$PLUMBLINE_KEY|<[\w-]{1,32}>)[^\s"'\\]+/gi, /bearer\s/i),
  patternFinder(/(?<=[a-z]:\/\/)(?!<redacted>@)[^\s/?#"'\\]{1,1024}(?=@)/gi, /:\/\//),
]

/** Returns finders for these secrets and, after them, for other credentials. */
export function findersOf(secrets: readonly string[], cut: boolean): readonly Finder[] {
  return [secretFinder(secrets, cut), ...UNNAMED]
}

/**
 * Returns a function that removes these secrets from a text, in every form that `secretFinder` knows, and also text after
 * `Bearer` and the user part of every URL.
 */
export function redactorOf(secrets: readonly string[]): Redact {
  const finders = findersOf(secrets, true)
  return (text) => finders.reduce((rest, find) => replaceRanges(rest, find(rest)), text)
}

/** Returns the text with each range redacted; adjacent ones are replaced as one. */
export function replaceRanges(text: string, ranges: readonly Range[]): string {
  if (ranges.length === 0) return text
  let shown = ''
  let at = 0
  for (const [from, to] of [...ranges].sort(([one], [other]) => one - other)) {
    if (to <= at) continue
    if (from >= at || shown === '') shown += `${text.slice(at, from)}${REDACTED}`
    at = to
  }
  return shown + text.slice(at)
}

/**
 * Returns a copy of plain data with the secrets removed from all of its texts.
 *
 * @param ours names of members whose texts are not the target's, such as ids: a secret like `pass` must not change them.
 * @param named names of members that are objects whose own member names are the target's.
 */
export function redactData<Data>(
  data: Data,
  redact: Redact,
  ours: ReadonlySet<string> = new Set(),
  named: ReadonlySet<string> = new Set(),
): Data {
  const copy = (value: unknown, member: string): unknown => {
    if (typeof value === 'string') return ours.has(member) ? value : redact(value)
    if (Array.isArray(value)) return value.map((each) => copy(each, member))
    if (typeof value !== 'object' || value === null) return value
    // If the target chooses the names, none of them marks a text as ours.
    const isNamed = named.has(member)
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) =>
        isNamed ? [redact(name), copy(each, '')] : [name, copy(each, name)],
      ),
    )
  }
  return copy(data, '') as Data
}

/** Changes the texts of an error and of its causes in place, which keeps its class and other fields, and returns it. */
export function changeTexts(error: unknown, change: (text: string) => string): unknown {
  const seen = new Set<unknown>()
  for (let each = error; each instanceof Error && !seen.has(each); each = each.cause) {
    seen.add(each)
    for (const name of ['message', 'stack', ...Object.keys(each)]) {
      const { value, writable } = Object.getOwnPropertyDescriptor(each, name) ?? {}
      if (writable && typeof value === 'string') Reflect.set(each, name, change(value))
    }
  }
  return typeof error === 'string' ? change(error) : error
}
