/** Variables that a program needs to find files and programs, and for its language. None holds a secret or names an output file. */
const INHERITED = /^(?:PATH|HOME|TMPDIR|LANG|LC_\w+|TZ)$/
/** Variables that Windows needs to start a shell; their names are case-insensitive. */
const INHERITED_ON_WINDOWS = /^(?:SYSTEMROOT|COMSPEC|PATHEXT|TEMP|TMP|USERPROFILE)$/

/**
 * Returns the variables of our environment that other programs get. The rest is withheld, such as the tokens of a CI job and the
 * files through which its steps report.
 */
export function inheritedVariables(): Readonly<Record<string, string>> {
  const isWindows = process.platform === 'win32'
  const isInherited = (name: string) => {
    if (!isWindows) return INHERITED.test(name)
    return INHERITED.test(name.toUpperCase()) || INHERITED_ON_WINDOWS.test(name.toUpperCase())
  }
  return variablesNamed(Object.keys(process.env).filter(isInherited))
}

/** Returns the variables of these names that our environment has. */
export function variablesNamed(names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}
