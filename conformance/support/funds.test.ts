import { expect, test } from 'vitest'
import { DEPLOYED_SAMPLES, deployedManifest } from '../../src/targets/chain/samples.ts'
import type { Answer } from '../../src/targets/environment/client.ts'
import type { Environment } from '../../src/targets/environment/environment.ts'
import { sendBuild } from './judged.ts'

const { swap, sender } = DEPLOYED_SAMPLES
const refused = { status: 422, headers: {}, json: { error: 'no executable route' } }

/** Returns an environment without chain access whose service responds with 422 to the bodies that `refuses` selects. */
function environmentOf(refuses: (body: Record<string, unknown>) => boolean): Environment {
  const build = async (body: Record<string, unknown>): Promise<Answer> => {
    const { status, json, ...rest } = refuses(body) ? refused : { ...refused, status: 200, json: {} }
    return { ...rest, status, json, exchange: { response: { body: JSON.stringify(json) } } } as never
  }
  const clock = { nowMs: () => 0 }
  return {
    control: null,
    manifest: deployedManifest(),
    clock,
    samples: DEPLOYED_SAMPLES,
    client: () => ({ build }),
  } as never
}
const served = { mustBe: 'served', clauses: ['build.slippage.range'] } as const

test('a plain swap that is 422 says which sender to give, and blames no clause', async () => {
  const environment = environmentOf(() => true)
  const sent = sendBuild(environment, { ...swap, sender, slippageBps: 5_000 }, served)
  await expect(sent).rejects.toThrow(
    /no build for the sender 0x.*market\.sender in the file of --capabilities/,
  )
})

test('a 422 to a changed swap whose plain one is built is still blamed', async () => {
  const environment = environmentOf(({ slippageBps }) => slippageBps === 5_000)
  const sent = sendBuild(environment, { ...swap, sender, slippageBps: 5_000 }, served)
  await expect(sent).rejects.toThrow(/build\.(returns-transaction|slippage\.range)/)
})
