import { readFileSync } from 'node:fs'

/** Set in a bundle, which has no `package.json`. */
declare const PLUMBLINE_VERSION: string | undefined

/** Name of the package on npm, where `plumbline` is another project. Its program is called `plumbline`. */
export const PACKAGE_NAME = 'plumbline-conformance'

/** Returns the version in the `package.json` of Plumbline. */
export function plumblineVersion(): string {
  if (typeof PLUMBLINE_VERSION === 'string') return PLUMBLINE_VERSION
  const file = new URL('../../package.json', import.meta.url)
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }
  return version
}
