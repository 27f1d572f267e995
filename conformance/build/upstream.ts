import { worldClient } from '../../src/harness/lifecycle.ts'
import type { Check } from '../../src/harness/suite.ts'
import { parametersOf } from '../../src/harness/swapFacts.ts'
import { judgeBuildFailure } from '../../src/oracles/errors.ts'
import type { LineFault } from '../../src/simulation/chain.ts'
import type { World } from '../../src/simulation/world.ts'
import { assume, demandJudged, insist, insistStatus, sightOf } from '../support/expect.ts'
import { bodyFor, EVERYWHERE, someSwap } from '../support/swaps.ts'

/** Ways in which nothing of the chain can be read. */
const FAULTS: Readonly<Record<string, LineFault>> = {
  down: { kind: 'down' },
  'answer-lost': { kind: 'answer-lost' },
  rubbish: { kind: 'replace', replies: (replies) => replies.map(() => ({ ok: true, result: 'rubbish' })) },
}

function spoil(world: World, fault: LineFault): void {
  world.line.hooks = { decide: () => fault }
}
function heal(world: World): void {
  world.line.hooks = {}
}

const builds: readonly Check<World>[] = Object.entries(FAULTS).map(([name, fault]) => ({
  id: `build.upstream.${name}`,
  title: `a build while the chain is ${name} is 502 with its exact body, and is served again afterwards`,
  requirements: ['build.upstream-failure'],
  run: async (world) => {
    const client = worldClient(world)
    const body = bodyFor(world, 'alice', EVERYWHERE)
    spoil(world, fault)
    demandJudged([judgeBuildFailure(await client.build(body))])
    heal(world)
    const again = await client.build(body)
    insist('build.upstream-failure', again.status === 200, 'a build once the chain is back', sightOf(again))
    return { exercised: 1 }
  },
}))

const quotes: readonly Check<World>[] = Object.entries(FAULTS).map(([name, fault]) => ({
  id: `quote.upstream.${name}`,
  title: `what a quote answers while the chain is ${name}, and that it is served again afterwards`,
  requirements: ['quote.errors', 'quote.response.shape'],
  run: async (world) => {
    const client = worldClient(world)
    const query = parametersOf(world.manifest, EVERYWHERE)
    spoil(world, fault)
    const broken = await client.quote(query)
    heal(world)
    world.clock.advanceBy(4_000)
    const again = await client.quote(query)
    insist('quote.response.shape', again.status === 200, 'a quote once the chain is back', sightOf(again))
    return { exercised: 1, notes: [`while broken: ${sightOf(broken)}`] }
  },
}))

const confirms: readonly Check<World>[] = Object.entries(FAULTS).map(([name, fault]) => ({
  id: `confirm.upstream.${name}`,
  title: `a report while the chain is ${name} is 503, credits nothing, and is recorded afterwards`,
  requirements: ['confirm.unavailable', 'confirm.recorded'],
  run: async (world) => {
    const client = worldClient(world)
    const { build, swap } = await someSwap(world, 'alice', EVERYWHERE)
    assume(build.attribution !== null, 'the build has no attribution')
    await world.mine(12)
    const report = { buildId: build.attribution.buildId, txHash: swap.hash }
    spoil(world, fault)
    insistStatus('confirm.unavailable', await client.confirm(report), 503)
    heal(world)
    const again = await client.confirm(report)
    const first = { recorded: true, alreadyRecorded: false }
    insist(
      'confirm.unavailable',
      again.status === 200 && JSON.stringify(again.json) === JSON.stringify(first),
      `200 ${JSON.stringify(first)} once the chain is back`,
      sightOf(again),
    )
    return { exercised: 1 }
  },
}))

/** §7: the chain cannot be read. */
export const upstreamChecks: readonly Check<World>[] = [...builds, ...quotes, ...confirms]
