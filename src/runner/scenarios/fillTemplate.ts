import { pointer } from '../../spec/issue.ts'

interface Filling {
  readonly values: Readonly<Record<string, unknown>>
  /** The names that occurred; this function adds to it. */
  readonly used: Set<string>
  /** Throws for a name without a value, or an object within text. */
  readonly refuse: (problem: string) => never
}

/**
 * Returns a JSON value with every `${name}` in its strings replaced: a string that is nothing else becomes the value with its
 * type, within a longer string it becomes text.
 *
 * @param path where the value is in its file.
 */
export function fillTemplate(value: unknown, path: readonly PropertyKey[], filling: Filling): unknown {
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

function fillText(text: string, path: readonly PropertyKey[], { values, used, refuse }: Filling): unknown {
  const lookUp = (name: string): unknown => {
    used.add(name)
    if (Object.hasOwn(values, name)) return values[name]
    const known = Object.keys(values).join(', ') || 'none'
    return refuse(`${pointer(path)} uses \${${name}}; the values of the case are: ${known}`)
  }
  const whole = text.match(/^\$\{([A-Za-z0-9]+)\}$/)?.[1]
  if (whole !== undefined) return lookUp(whole)
  return text.replaceAll(/\$\{([A-Za-z0-9]+)\}/g, (_, name: string) => {
    const value = lookUp(name)
    if (typeof value !== 'object') return String(value)
    return refuse(`${pointer(path)} has \${${name}} within text; its value is ${JSON.stringify(value)}`)
  })
}
