import { readFileSync } from 'node:fs'

/** Set in a bundle, which has no `package.json`. */
declare const PLUMBLINE_VERSION: string | undefined

/** Returns the version of this Plumbline, as in its `package.json`. */
export function plumblineVersion(): string {
  if (typeof PLUMBLINE_VERSION === 'string') return PLUMBLINE_VERSION
  const file = new URL('../../package.json', import.meta.url)
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }
  return version
}
