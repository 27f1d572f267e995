import { afterAll, expect, it } from 'vitest'
import { ChainInDoubtError, OtherWorldError } from '../execute/errors.ts'
import { parseRecording } from '../format/file.ts'
import { EvmReplay } from '../replay/evmReplay.ts'
import { type Anything, forged, goldenText } from '../testing/forge.ts'
import { ContradictionError } from './errors.ts'
import { verifyParsed } from './verifyRecording.ts'

/** What verify refuses a forgery with. */
const REFUSALS = [ContradictionError, ChainInDoubtError, OtherWorldError]

type Path = readonly (string | number)[]

/**
 * What a forger who seals again can change unnoticed, even where the script is run again: who made the file, its name, the policy,
 * with which it is run again, and the wording of verdicts, which verify does not print.
 */
const BELIEVED = [
  /^manifest policy\./,
  /^provenance /,
  /^script name$/,
  /^verdicts verdicts\.\*\.(?:expected|actual|note)$/,
]

/** The recorded service is no known-broken one. */
const replay = new EvmReplay(async () => ({}))
afterAll(() => replay.stop())

function leavesOf(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  return Object.entries(value).flatMap(([name, member]) =>
    leavesOf(member, [...path, Array.isArray(value) ? Number(name) : name]),
  )
}

function otherThan(value: unknown): unknown {
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  if (typeof value !== 'string') return 0
  return `${value.slice(0, -1)}${value.endsWith('1') ? '2' : '1'}`
}

/** Returns whether verify takes the text for genuine; every refusal must be one that it means. */
async function isBelieved(text: string): Promise<boolean> {
  const recording = parseRecording(text)
  try {
    // What finds most comes first, and what takes longest last.
    await verifyParsed(recording, { execute: false })
    await replay.prove(recording)
    await verifyParsed(recording)
    return true
  } catch (error) {
    if (REFUSALS.some((refusal) => error instanceof refusal)) return false
    throw error
  }
}

/** Writes another value at a place of an entry. */
function changeAt(entry: number, path: Path): (recording: Anything) => void {
  return (recording) => {
    const holder = path
      .slice(0, -1)
      .reduce((value, part) => value[part], recording.entries[entry] as Anything)
    const last = path.at(-1) as string | number
    holder[last] = otherThan(holder[last])
  }
}

it('no field of any entry can be forged unnoticed, but those that running it again cannot tell', async () => {
  const text = goldenText('failures.store-down')
  const { entries } = parseRecording(text)
  const tried = new Set<string>()
  const believed = new Set<string>()
  for (const [at, { n: _n, kind, sums: _sums, hash: _hash, ...content }] of entries.entries()) {
    for (const path of leavesOf(content)) {
      const name = `${kind} ${path.map((part) => (typeof part === 'number' ? '*' : part)).join('.')}`
      // What replay compares as a whole is not worth a trial for each of its members.
      if (tried.has(name) || name.startsWith('manifest contracts.')) continue
      tried.add(name)
      let changed: string
      try {
        changed = forged(text, changeAt(at, path))
      } catch {
        // The schema has no such value.
        continue
      }
      if (await isBelieved(changed)) believed.add(name)
    }
  }
  expect(tried.size).toBeGreaterThan(120)
  expect([...believed].filter((name) => !BELIEVED.some((pattern) => pattern.test(name)))).toEqual([])
})
