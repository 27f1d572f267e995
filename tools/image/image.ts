import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of this checkout: the context of a build. */
export const CONTEXT = fileURLToPath(new URL('../../', import.meta.url))

/** The Dockerfile of this repository. */
export const DOCKERFILE = readFileSync(join(CONTEXT, 'Dockerfile'), 'utf8')

/** Returns the words of a command of the image in its exec form, which uses no shell. */
export function commandOf(keyword: 'HEALTHCHECK' | 'ENTRYPOINT' | 'CMD'): readonly string[] {
  const [, words = '[]'] = DOCKERFILE.match(new RegExp(`^${keyword} [^[]*(\\[.*\\])$`, 'm')) ?? []
  return JSON.parse(words) as string[]
}

/** Returns the variables that the image sets. */
export function variablesOf(): Readonly<Record<string, string>> {
  const [, pairs = ''] = DOCKERFILE.match(/^ENV (.*)$/m) ?? []
  return Object.fromEntries(pairs.split(' ').map((pair) => pair.split(/=(.*)/s)))
}

/** Returns the parts of the checkout that a build sees at the top level, and the parts below them that it does not see. */
export function readContext(): {
  readonly included: readonly string[]
  readonly excluded: readonly string[]
} {
  const [first, ...rest] = readFileSync(join(CONTEXT, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  if (first !== '*')
    throw new Error('.dockerignore must begin with *, so that a build sees only what it names')
  return {
    included: rest.filter((line) => line.startsWith('!')).map((line) => line.slice(1)),
    excluded: rest.filter((line) => !line.startsWith('!')),
  }
}
