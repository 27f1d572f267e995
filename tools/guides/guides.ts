import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of the checkout. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Returns the text of every guide, by path. */
export function guides(): ReadonlyMap<string, string> {
  const paths = [
    'README.md',
    'CONTRIBUTING.md',
    ...['docs', 'docs/internals'].flatMap((folder) =>
      readdirSync(join(ROOT, folder))
        .filter((name) => name.endsWith('.md'))
        .sort()
        .map((name) => `${folder}/${name}`),
    ),
  ]
  return new Map(paths.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]))
}
