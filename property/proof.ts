import { runFamily } from '../src/runner/families/runFamily.ts'
import type { ProvableProperties } from '../src/runner/proof/properties.ts'
import { PROOF_SEED } from '../src/runner/proof/service.ts'
import { inProcessEnvironment } from '../src/targets/environment/inProcess.ts'
import { EXPECTED_KILLS } from './expectedKills.ts'
import { FAMILIES } from './suite.ts'

/** The properties for `plumbline prove`: each family runs once against a defect, with the quick budget. */
export const provableProperties: ProvableProperties = {
  expectedKills: EXPECTED_KILLS,
  falsified: async (world, { seams }, properties) => {
    const found: string[] = []
    const environment = inProcessEnvironment(world, { seed: PROOF_SEED, seams })
    for (const family of FAMILIES) {
      const only = new Set(family.properties.map(({ id }) => id).filter((id) => properties.has(id)))
      if (only.size === 0) continue
      const options = { seed: PROOF_SEED, budget: 'quick', only, shrink: false } as const
      const { properties: outcomes } = await runFamily(family, environment, options)
      for (const { id, counterexample } of outcomes) if (counterexample !== null) found.push(id)
    }
    return new Set(found)
  },
}
