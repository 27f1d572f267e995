import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { makeTemporaryFolder } from '../../../src/host/temporary.ts'
import { PlumblineError } from '../../../src/spec/errors.ts'
import type { Material } from '../inputs.ts'
import { assert, type Target } from '../target.ts'

/** Maximum length of a message: a longer one floods the user's terminal. */
const MESSAGE_MAX = 4_000
/** Matches text that an error message contains only by mistake. */
const MEANINGLESS = /\[object Object\]|\bundefined\b|\bat .+:\d+:\d+/

interface Format extends Material {
  /** Reads the file: returns its content, or throws an error of this project that says what is wrong and what to do. */
  read(file: string): unknown
  /** Writes the content that was read into a file; null: it cannot be written. Default: as JSON. */
  readonly write?: ((file: string, content: unknown) => unknown) | null
}

/**
 * Returns a target that reads files: each gives its content, or an error with a name, the file, the place and advice. Content
 * can be written and read again.
 */
export function fileTarget(format: Format): Target {
  const { path: folder, remove } = makeTemporaryFolder('fuzz')
  const file = join(folder, 'input.json')
  const again = join(folder, 'again.json')
  const { write = (to: string, content: unknown) => writeFileSync(to, JSON.stringify(content)) } = format
  return {
    ...format,
    run: async (text) => {
      writeFileSync(file, text)
      let content: unknown
      try {
        content = await format.read(file)
      } catch (error) {
        assertRefusal(error, folder)
        return
      }
      if (write === null) return
      await write(again, content)
      assert(
        isDeepStrictEqual(await format.read(again), content),
        'what was read and written is read as something else',
      )
    },
    stop: async () => remove(),
  }
}

/**
 * Asserts that an error explains to a user what is wrong with a file and what to do.
 *
 * @param file the file that its message must name; null: it need not name one.
 */
export function assertRefusal(error: unknown, file: string | null): void {
  if (!(error instanceof PlumblineError)) throw error
  const { name, message, advice } = error
  assert(/^[A-Z]\w+Error$/.test(name), `the error is called ${name}`)
  assert(advice.length > 0, `${name} does not say what to do`)
  assert(message.length < MESSAGE_MAX, `${name} has a message of more than ${MESSAGE_MAX} characters`)
  assert(file === null || message.includes(file), `${name} does not name the file\n${message}`)
  const meaningless = message.match(MEANINGLESS)?.[0]
  assert(meaningless === undefined, `${name} says "${meaningless}"\n${message}`)
}
