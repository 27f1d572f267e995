import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { historyFamily } from '../../../property/history/family.ts'
import type { Defect } from '../../../src/runner/proof/defect.ts'
import { runScript, type ScriptRun } from '../../../src/runner/runScript.ts'
import { randomRun } from '../../../src/runner/simulate/plan.ts'
import type { World } from '../../../src/simulation/world.ts'
import { shadowsOf } from './shadows.ts'

/** What the script of one seed under one mix came to, with the right service. */
export interface BaseRun {
  /** Of the circumstances that it met, as numbers. */
  readonly states: readonly number[]
  readonly steps: number
  /** The broken services that would have done anything else, by id. */
  readonly fired: readonly string[]
}

/** The same with a broken service. */
export interface BrokenRun {
  readonly states: readonly number[]
  readonly steps: number
  readonly found: boolean
}

/** A run is needed that no earlier call has left, and none may be made. */
export class NoRunError extends Error {
  override readonly name = 'NoRunError'
}

/** Runs scripts against the right service and the broken ones, each once, and keeps what they came to in a file. */
export class Simulations {
  readonly #world: World | null
  readonly #file: string
  readonly #known = new Map<string, unknown>()
  readonly #shadows: ReturnType<typeof shadowsOf>

  /** @param world null: only what the file holds is there. */
  constructor(world: World | null, defects: readonly Defect[], file: string) {
    this.#world = world
    this.#file = file
    this.#shadows = shadowsOf(defects)
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
    for (const line of lines) {
      const [key, result] = JSON.parse(line)
      this.#known.set(key, result)
    }
  }

  base(seed: number, mix: string | null): Promise<BaseRun> {
    return this.#once(`${seed} ${mix}`, async () => {
      this.#shadows.takeFired()
      const run = await this.#run(seed, mix, this.#shadows.seams)
      if (run.problem !== null) throw new Error(`seed ${seed} mix ${mix}: ${run.problem.message}`)
      return { states: statesOf(run), steps: run.log.length, fired: [...this.#shadows.takeFired()].sort() }
    })
  }

  broken(seed: number, mix: string | null, { id, seams }: Defect): Promise<BrokenRun> {
    return this.#once(`${seed} ${mix} ${id}`, async () => {
      const run = await this.#run(seed, mix, seams)
      return { states: statesOf(run), steps: run.log.length, found: run.problem?.status === 'fail' }
    })
  }

  /** One seed of a campaign against a broken service, which is run only where the right one would not do the same. */
  async against(bug: Defect, seed: number, mix: string | null): Promise<BrokenRun> {
    const { fired, ...base } = await this.base(seed, mix)
    return fired.includes(bug.id) ? this.broken(seed, mix, bug) : { ...base, found: false }
  }

  #run(seed: number, mix: string | null, seams: Defect['seams']): Promise<ScriptRun> {
    const inner = this.#world
    if (inner === null) throw new NoRunError('this run was not made')
    const world = Object.assign(Object.create(inner), { reset: (to: number) => inner.reset(to, seams) })
    return runScript(historyFamily, world, randomRun(seed, mix))
  }

  async #once<Result>(key: string, run: () => Promise<Result>): Promise<Result> {
    if (!this.#known.has(key)) {
      const result = await run()
      this.#known.set(key, result)
      appendFileSync(this.#file, `${JSON.stringify([key, result])}\n`)
    }
    return this.#known.get(key) as Result
  }
}

function statesOf({ circumstances }: ScriptRun): readonly number[] {
  return circumstances.map((text) => createHash('sha256').update(text).digest().readUInt32BE())
}
