import { expect, it } from 'vitest'
import { ChainInDoubtError, OtherWorldError } from '../execute/errors.ts'
import { parseRecording } from '../format/file.ts'
import { type Anything, forged, goldenText } from '../testing/forge.ts'
import { ContradictionError } from './errors.ts'
import { verifyRecording } from './verifyRecording.ts'

/** What verify refuses a forgery with. */
const REFUSALS = [ContradictionError, ChainInDoubtError, OtherWorldError]

type Path = readonly (string | number)[]

/**
 * What a forger who seals again can change unnoticed offline: what decides or describes the run, words of the script that
 * leave no trace of their own, clocks within their bounds, headers that no judge speaks of, and the wording
 * of verdicts. Replay compares all of it but the provenance and that wording, which verify does not print.
 */
const BELIEVED = [
  /^manifest (?!contracts)/,
  /^provenance /,
  /^script (?:name$|steps\.)/,
  /^step nowMs$/,
  /^http (?:atMs|answer\.atMs|answer\.headers\.(?:cache-control|retry-after|x-ratelimit-[a-z]+)|step|within)$/,
  /^rpc atMs$/,
  /^store-fault method$/,
  /^report http$/,
  /^outcome unmetFaults$/,
  /^verdicts verdicts\.\*\.(?:expected|actual|note)$/,
]

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
async function isBelieved(text: string, execute = true): Promise<boolean> {
  try {
    await verifyRecording(text, { execute })
    return true
  } catch (error) {
    if (REFUSALS.some((refusal) => error instanceof refusal)) return false
    throw error
  }
}

type Change = (recording: Anything) => void

/** Writes another value at a place of an entry. */
function changeAt(entry: number, path: Path): Change {
  return (recording) => {
    const holder = path
      .slice(0, -1)
      .reduce((value, part) => value[part], recording.entries[entry] as Anything)
    const last = path.at(-1) as string | number
    holder[last] = otherThan(holder[last])
  }
}

it('no field of any entry can be forged unnoticed, but those that only a replay can tell', async () => {
  const text = goldenText('failures.store-down')
  const { entries } = parseRecording(text)
  const tried = new Set<string>()
  const believed = new Set<string>()
  const listed = new Map<string, Change[]>()
  for (const [at, { n: _n, kind, sums: _sums, hash: _hash, ...content }] of entries.entries()) {
    for (const path of leavesOf(content)) {
      const name = `${kind} ${path.map((part) => (typeof part === 'number' ? '*' : part)).join('.')}`
      // What replay compares as a whole is not worth a trial for each of its members.
      if (tried.has(name) || name.startsWith('manifest contracts.')) continue
      tried.add(name)
      const change = changeAt(at, path)
      let changed: string
      try {
        changed = forged(text, change)
      } catch {
        // The schema has no such value.
        continue
      }
      // Those on the list may be believed: they are executed all of a kind together, so that each refusal is seen there as well.
      const isListed = BELIEVED.some((pattern) => pattern.test(name))
      if (!(await isBelieved(changed, !isListed))) continue
      if (isListed) listed.set(kind, [...(listed.get(kind) ?? []), change])
      else believed.add(name)
    }
  }
  expect(tried.size).toBeGreaterThan(120)
  expect([...believed]).toEqual([])
  expect(listed.size).toBeGreaterThan(6)
  for (const changes of listed.values())
    await isBelieved(
      forged(text, (recording) => {
        for (const change of changes) change(recording)
      }),
    )
})
