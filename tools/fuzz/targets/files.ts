import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { makeTemporaryFolder } from '../../../src/host/temporary.ts'
import { PlumblineError } from '../../../src/spec/errors.ts'
import type { Material } from '../inputs.ts'
import { assert, type Target } from '../target.ts'

/** A longer message floods the terminal of whoever has a wrong file. */
const MESSAGE_MAX = 4_000
/** Matches what no error says on purpose. */
const MEANINGLESS = /\[object Object\]|\bundefined\b|\bat .+:\d+:\d+/

interface Format extends Material {
  /** Reads the file: its content, or an error of this project that says what is wrong and what to do. */
  read(file: string): unknown
  /** Writes what was read into a file; null: nobody writes it from what was read. Default: as JSON. */
  readonly write?: ((file: string, content: unknown) => unknown) | null
}

/**
 * Returns a target that reads files: each gives its content, or an error with a name, the file, the place and what to do; and what
 * was read can be written and read again.
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
 * Whether an error says to a person what is wrong with a file, and what to do.
 *
 * @param file what its message must name; null: it is known without.
 */
export function assertRefusal(error: unknown, file: string | null): void {
  if (!(error instanceof PlumblineError)) throw error
  const { name, message, advice } = error
  assert(/^[A-Z]\w+Error$/.test(name), `the error is called ${name}`)
  assert(advice.length > 0, `${name} says not what to do`)
  assert(message.length < MESSAGE_MAX, `${name} has a message of more than ${MESSAGE_MAX} characters`)
  assert(file === null || message.includes(file), `${name} does not name the file\n${message}`)
  const meaningless = message.match(MEANINGLESS)?.[0]
  assert(meaningless === undefined, `${name} says "${meaningless}"\n${message}`)
}
