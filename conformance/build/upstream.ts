import { judgeBuildFailure } from '../../src/oracles/errors.ts'
import { parametersOf } from '../../src/oracles/swapFacts.ts'
import type { Case } from '../../src/runner/case.ts'
import type { Arena, LineSpoil } from '../../src/targets/environment.ts'
import { assume, assumeServed, demandJudged, insist, insistStatus, sightOf } from '../support/expect.ts'
import { insistRecorded } from '../support/reports.ts'
import { bodyFor, EVERYWHERE, someSwap } from '../support/swaps.ts'

/** Ways in which nothing of the chain can be read. */
const SPOILS: readonly LineSpoil[] = ['down', 'answer-lost', 'rubbish']

async function spoil(arena: Arena, how: LineSpoil): Promise<void> {
  assume(arena.line !== null, 'nobody here holds the line between the service and its chain')
  await arena.line.spoil(how)
}
async function heal(arena: Arena): Promise<void> {
  await arena.line?.heal()
}
const powers = ['line-faults'] as const

const builds: readonly Case[] = SPOILS.map((how) => ({
  id: `build.upstream.${how}`,
  title: `a build while the chain is ${how} is 502 with its exact body, and is served again afterwards`,
  requirements: ['build.upstream-failure'],
  powers,
  run: async (arena) => {
    const client = arena.client()
    const body = bodyFor(arena, 'alice', EVERYWHERE)
    await spoil(arena, how)
    demandJudged([judgeBuildFailure(await client.build(body))])
    await heal(arena)
    const again = await client.build(body)
    insist('build.upstream-failure', again.status === 200, 'a build once the chain is back', sightOf(again))
    return { exercised: 1 }
  },
}))

const quotes: readonly Case[] = SPOILS.map((how, index) => ({
  id: `quote.upstream.${how}`,
  title: `what a quote answers while the chain is ${how}, and that it is served again afterwards`,
  requirements: ['quote.errors', 'quote.response.shape'],
  powers,
  run: async (arena) => {
    const client = arena.client()
    // A slippage that no other case asks for: no memo knows the answer while the line is spoiled.
    const query = { ...parametersOf(arena.manifest, EVERYWHERE), slippageBps: 701 + index }
    await spoil(arena, how)
    const broken = await client.quote(query)
    await heal(arena)
    const again = await client.quote({ ...query, ...(await arena.unmemoized()) })
    insist('quote.response.shape', again.status === 200, 'a quote once the chain is back', sightOf(again))
    return { exercised: 1, notes: [`while broken: ${sightOf(broken)}`] }
  },
}))

const confirms: readonly Case[] = SPOILS.map((how) => ({
  id: `confirm.upstream.${how}`,
  title: `a report while the chain is ${how} is 503, credits nothing, and is recorded afterwards`,
  requirements: ['confirm.unavailable', 'confirm.recorded'],
  powers,
  run: async (arena) => {
    const client = arena.client()
    const { build, swap } = await someSwap(arena, 'alice', EVERYWHERE)
    assumeServed(build.attribution !== null, 'the build has no attribution')
    await arena.mine(12)
    const report = { buildId: build.attribution.buildId, txHash: swap.hash }
    await spoil(arena, how)
    insistStatus('confirm.unavailable', await client.confirm(report), 503)
    await heal(arena)
    const again = await client.confirm(report)
    insistRecorded('confirm.unavailable', again)
    return { exercised: 1 }
  },
}))

/** §7: the chain cannot be read. */
export const upstreamChecks: readonly Case[] = [...builds, ...quotes, ...confirms]
