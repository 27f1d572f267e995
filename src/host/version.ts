import { existsSync, readFileSync } from 'node:fs'

/** Set in a bundle, which has no `package.json`. */
declare const PLUMBLINE_VERSION: string | undefined

/** Returns the version of this Plumbline, as in its `package.json`. A package has its modules one folder deeper, in `dist`. */
export function plumblineVersion(): string {
  if (typeof PLUMBLINE_VERSION === 'string') return PLUMBLINE_VERSION
  const ofCheckout = new URL('../../package.json', import.meta.url)
  const ofPackage = new URL('../../../package.json', import.meta.url)
  const manifest = JSON.parse(readFileSync(existsSync(ofCheckout) ? ofCheckout : ofPackage, 'utf8')) as {
    readonly version: string
  }
  return manifest.version
}
