import type { StepInput } from '../simulation/steps.ts'
import { withKnownNames } from './shrinkNames.ts'
import { simplerAt } from './shrinkSteps.ts'
import { simplerAltogether } from './shrinkWhole.ts'

/** A case that is a script. */
interface ScriptCase {
  readonly steps: readonly StepInput[]
}

/**
 * Scripts that are simpler than this one, the boldest first: only its beginning, without some of its steps, simpler in
 * several places at once, simpler in one place.
 */
export function* simplerScripts({ steps }: ScriptCase): Generator<ScriptCase> {
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    yield { steps: steps.slice(0, -size) }
  }
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let start = 0; start < steps.length; start += size) yield { steps: steps.toSpliced(start, size) }
  }
  for (const simpler of simplerAltogether(steps)) yield { steps: simpler }
  for (const index of steps.keys()) {
    for (const simpler of simplerAt(steps, index)) yield { steps: simpler }
  }
}

/** Leaves out of a script what names something that no step before it makes. */
export function repairScript<Case extends ScriptCase>(script: Case): Case {
  return { ...script, steps: withKnownNames(script.steps) }
}
