/** A program needs these to find its files and other programs, and to choose a language. None holds a secret or names a file to write to. */
const INHERITED = /^(?:PATH|HOME|TMPDIR|LANG|LC_\w+|TZ)$/
/** Without these, Windows starts no shell; a name has any case there. */
const INHERITED_ON_WINDOWS = /^(?:SYSTEMROOT|COMSPEC|PATHEXT|TEMP|TMP|USERPROFILE)$/

/**
 * Returns the variables of our environment that a program gets which is not ours: nothing else of it, such as the tokens of a CI job and the
 * files by which its steps report.
 */
export function inheritedVariables(): Readonly<Record<string, string>> {
  const isWindows = process.platform === 'win32'
  const isInherited = (name: string) => {
    if (!isWindows) return INHERITED.test(name)
    return INHERITED.test(name.toUpperCase()) || INHERITED_ON_WINDOWS.test(name.toUpperCase())
  }
  return variablesNamed(Object.keys(process.env).filter(isInherited))
}

/** Returns the variables of these names, as far as our environment has them. */
export function variablesNamed(names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}
