import { existsSync, readFileSync } from 'node:fs'

const CHECKOUT = new URL('../../package.json', import.meta.url)
const PACKAGE = new URL('../../../package.json', import.meta.url)

/** The version of this Plumbline, as in its `package.json`. A package has its modules one folder deeper, in `dist`. */
export function plumblineVersion(): string {
  const manifest = JSON.parse(readFileSync(existsSync(CHECKOUT) ? CHECKOUT : PACKAGE, 'utf8')) as {
    readonly version: string
  }
  return manifest.version
}
