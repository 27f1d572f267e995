import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of the checkout. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Returns every guide, by its path, with its text. */
export function guides(): ReadonlyMap<string, string> {
  const paths = [
    'README.md',
    'CONTRIBUTING.md',
    ...readdirSync(join(ROOT, 'docs'))
      .filter((name) => name.endsWith('.md'))
      .sort()
      .map((name) => `docs/${name}`),
  ]
  return new Map(paths.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]))
}
