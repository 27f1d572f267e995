import { afterAll, expect, it } from 'vitest'
import { ChainInDoubtError, OtherWorldError } from '../execute/errors.ts'
import { parseRecording } from '../format/file.ts'
import type { Recording } from '../format/schema.ts'
import { EvmReplay } from '../replay/evmReplay.ts'
import { type Anything, forgedRecording, goldenText } from '../testing/forge.ts'
import { ContradictionError } from './errors.ts'
import { verifyParsed } from './verifyRecording.ts'

/** The errors with which verify refuses a forgery. */
const REFUSALS = [ContradictionError, ChainInDoubtError, OtherWorldError]

type Path = readonly (string | number)[]

/**
 * Fields that a forger who seals again can change unnoticed, even if the script is run again: the maker of the file, its name,
 * the policy (which the run again uses), and the wording of verdicts (which verify does not print).
 */
const BELIEVED = [
  /^manifest policy\./,
  /^provenance /,
  /^script name$/,
  /^verdicts verdicts\.\*\.(?:expected|actual|note)$/,
]

/** The recorded service is the reference. */
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

/** Returns whether verify accepts the recording; any error other than a refusal is thrown. */
async function isBelieved(recording: Recording): Promise<boolean> {
  try {
    // The check that finds most comes first, and the slowest last.
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

it('no field of any entry can be forged unnoticed, except those in `BELIEVED`', async () => {
  const text = goldenText('failures.store-down')
  const { entries } = parseRecording(text)
  const tried = new Set<string>()
  const believed = new Set<string>()
  for (const [at, { n: _n, kind, sums: _sums, hash: _hash, ...content }] of entries.entries()) {
    for (const path of leavesOf(content)) {
      const name = `${kind} ${path.map((part) => (typeof part === 'number' ? '*' : part)).join('.')}`
      // Replay compares the contracts as a whole, so their members need no separate trials.
      if (tried.has(name) || name.startsWith('manifest contracts.')) continue
      tried.add(name)
      let changed: Recording
      try {
        changed = forgedRecording(text, changeAt(at, path))
      } catch {
        // The schema does not allow the value.
        continue
      }
      if (await isBelieved(changed)) believed.add(name)
    }
  }
  expect(tried.size).toBeGreaterThan(120)
  expect([...believed].filter((name) => !BELIEVED.some((pattern) => pattern.test(name)))).toEqual([])
})
