import { shrink } from '../../src/runner/shrink.ts'
import type { Json } from '../../src/runner/shrinkJson.ts'
import { simplerJson } from '../../src/runner/shrinkJson.ts'
import { split } from '../../src/simulation/seed.ts'
import type { Coverage } from './coverage.ts'
import { type Input, inputSchema, textOf } from './input.ts'
import { mutate } from './mutate.ts'
import { BrokenPropertyError, type Target } from './target.ts'

/** Coverage is read once for so many inputs; where something is new, they are run again by halves. */
const BATCH = 256
const FINDINGS_MAX = 20
const SHRINK_TRIES = 400
const KEY_LENGTH = 120
/** A line of a stack in this project's sources. */
const OURS = /(?:src|conformance|property)\/[\w./-]+\.ts(?=:)/

export interface FuzzOptions {
  readonly seed: number
  /** How many inputs are run. */
  readonly inputs: number
  /** What to start from, next to the bases as they are. */
  readonly corpus: readonly Input[]
  /** Null: no input is kept, so that each follows from the seed and its number alone. */
  readonly coverage: Coverage | null
  readonly onFinding?: (finding: Finding) => void
}

/** An input for which something that must hold does not. */
export interface Finding {
  /** Where and how it shows, without what differs from input to input. */
  readonly key: string
  readonly message: string
  /** The number of the input in the run, from 0. */
  readonly at: number
  /** The smallest input that still shows it. */
  readonly input: Input
}

export interface FuzzResult {
  readonly inputs: number
  readonly findings: readonly Finding[]
  /** What the run started from, and the inputs that reached new code. */
  readonly corpus: readonly Input[]
}

/** Runs many inputs on one target. Equal options give equal inputs. */
export async function fuzz(target: Target, options: FuzzOptions): Promise<FuzzResult> {
  const { seed, inputs, coverage } = options
  const corpus = startOf(target, options.corpus)
  const findings = new Map<string, Finding>()
  if (coverage !== null) {
    coverage.clear()
    for (const input of corpus) await errorOf(target, input)
    coverage.take()
  }
  const run = async (input: Input, at: number): Promise<void> => {
    const error = await errorOf(target, input)
    if (error === null || findings.has(keyOf(error))) return
    const finding = await smallest(target, input, error, at)
    findings.set(finding.key, finding)
    options.onFinding?.(finding)
  }
  let at = 0
  for (; at < inputs && findings.size < FINDINGS_MAX; at += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, inputs - at) }, (_, index) => at + index)
    const batch = numbers.map((number) => inputAt(target, corpus, seed, number))
    coverage?.clear()
    for (const [index, input] of batch.entries()) await run(input, at + index)
    if (coverage !== null && coverage.peek() > 0) corpus.push(...(await reaching(target, batch, coverage)))
  }
  return { inputs: Math.min(at, inputs), findings: [...findings.values()], corpus }
}

/** The inputs of a batch that reach new code, found by halves; it is reached from then on. */
async function reaching(
  target: Target,
  batch: readonly Input[],
  coverage: Coverage,
): Promise<readonly Input[]> {
  for (const input of batch) await errorOf(target, input)
  if (batch.length === 1) return coverage.take() > 0 ? batch : []
  if (coverage.peek() === 0) return []
  const half = Math.ceil(batch.length / 2)
  const first = await reaching(target, batch.slice(0, half), coverage)
  return [...first, ...(await reaching(target, batch.slice(half), coverage))]
}

/** The bases as they are, and the inputs of the corpus that still have their base. */
export function startOf({ bases }: Target, corpus: readonly Input[]): Input[] {
  const plain = Object.keys(bases).map((base) => ({ base, edits: [] }))
  return [...plain, ...corpus.filter(({ base }) => Object.hasOwn(bases, base))]
}

/** The input of a run with this number. */
export function inputAt(target: Target, corpus: readonly Input[], seed: number, number: number): Input {
  return mutate(target, corpus, split(seed, `fuzz ${target.name} ${number}`))
}

/** What running an input ends in; null: all that must hold does. */
export async function errorOf(target: Target, input: Input): Promise<Error | null> {
  let text: string
  try {
    text = textOf(target.bases, input)
  } catch (error) {
    // Edits that multiply one another ask for a longer text than there can be.
    if (error instanceof RangeError) return null
    throw error
  }
  try {
    await target.run(text, input.base)
    return null
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** The same for inputs that show the same: a broken property by what it says, another error by where it comes from. */
function keyOf(error: Error): string {
  if (error instanceof BrokenPropertyError) return error.message.split('\n')[0]?.slice(0, KEY_LENGTH) ?? ''
  const frame = error.stack?.split('\n').find((line) => OURS.test(line)) ?? ''
  return `${error.name} ${frame.match(OURS)?.[0] ?? error.message.slice(0, KEY_LENGTH)}`
}

async function smallest(target: Target, input: Input, error: Error, at: number): Promise<Finding> {
  const key = keyOf(error)
  const { smallest: found } = await shrink<Input>(input, {
    simpler: ({ base, edits }) =>
      [...simplerJson(edits as unknown as Json)].map((fewer) => ({ base, edits: fewer })),
    isCase: (candidate): candidate is Input => isInput(candidate),
    stillFails: async (candidate) => {
      const again = await errorOf(target, candidate)
      return again !== null && keyOf(again) === key
    },
    budget: SHRINK_TRIES,
  })
  const message = (await errorOf(target, found)) ?? error
  return { key, message: message.stack ?? message.message, at, input: found }
}

/** Whether a shrunk candidate still has edits of their shapes. */
function isInput(candidate: unknown): boolean {
  return inputSchema.safeParse(candidate).success
}
