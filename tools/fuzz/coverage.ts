import { Session } from 'node:inspector'

const SOURCES = new URL('../../src/', import.meta.url).href

interface Range {
  readonly startOffset: number
  readonly endOffset: number
  readonly count: number
}

/** A script as V8 counts it. Of each function the ranges are nested, the outermost first. */
interface Counted {
  readonly functions: readonly { readonly ranges: readonly Range[] }[]
  readonly scriptId: string
  readonly url: string
}

/**
 * Which code of this project has run, by V8's own block counters. A block is a stretch of code that was reached for the
 * first time by one input.
 */
export class Coverage {
  readonly #session = new Session()
  readonly #reached = new Map<string, Uint8Array>()
  #blocks = 0

  /** Starts to count. Code that ran before is counted only when it runs again. */
  constructor() {
    this.#session.connect()
    this.#post('Profiler.enable')
    this.#post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  }

  /** How many blocks were reached so far. */
  get blocks(): number {
    return this.#blocks
  }

  /** Forgets what has run since the last reading. @returns how many steps those were. */
  clear(): number {
    return stepsIn(this.#read())
  }

  /** How many blocks have run since the last reading that were never reached before; they stay unreached. */
  peek(): number {
    return this.#mark(this.#read(), false)
  }

  /** The same, and they are reached. */
  take(): number {
    const fresh = this.#mark(this.#read(), true)
    this.#blocks += fresh
    return fresh
  }

  stop(): void {
    this.#post('Profiler.stopPreciseCoverage')
    this.#session.disconnect()
  }

  #read(): readonly Counted[] {
    const { result } = this.#post('Profiler.takePreciseCoverage') as { readonly result: readonly Counted[] }
    return result
  }

  #mark(scripts: readonly Counted[], keep: boolean): number {
    let fresh = 0
    for (const { url, scriptId, functions } of scripts) {
      if (!url.startsWith(SOURCES)) continue
      const end = Math.max(0, ...functions.map(({ ranges }) => ranges[0]?.endOffset ?? 0))
      const reached = this.#reachedIn(scriptId, end)
      for (const { ranges } of functions) fresh += markFunction(ranges, keep ? reached : reached.slice())
    }
    return fresh
  }

  #reachedIn(scriptId: string, end: number): Uint8Array {
    const known = this.#reached.get(scriptId)
    if (known !== undefined && known.length >= end) return known
    const larger = new Uint8Array(end)
    if (known !== undefined) larger.set(known)
    this.#reached.set(scriptId, larger)
    return larger
  }

  #post(method: string, parameters: object = {}): unknown {
    let answer: unknown
    this.#session.post(method, parameters, (error, result) => {
      if (error !== null) throw error
      answer = result
    })
    return answer
  }
}

function stepsIn(scripts: readonly Counted[]): number {
  let steps = 0
  for (const { functions } of scripts)
    for (const { ranges } of functions) for (const { count } of ranges) steps += count
  return steps
}

/** Marks what ran of one function. @returns the stretches of it that were not marked before. */
function markFunction(ranges: readonly Range[], reached: Uint8Array): number {
  const [whole] = ranges
  if (whole === undefined || whole.count === 0) return 0
  const ran = new Uint8Array(whole.endOffset - whole.startOffset)
  for (const { startOffset, endOffset, count } of ranges)
    ran.fill(count > 0 ? 1 : 0, startOffset - whole.startOffset, endOffset - whole.startOffset)
  let fresh = 0
  let within = false
  for (const [index, is] of ran.entries()) {
    const offset = whole.startOffset + index
    const isNew = is === 1 && reached[offset] === 0
    if (isNew) reached[offset] = 1
    if (isNew && !within) fresh += 1
    within = isNew
  }
  return fresh
}
