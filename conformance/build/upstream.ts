import { judgeBuildFailure } from '../../src/oracles/errors.ts'
import { parametersOf } from '../../src/oracles/swapFacts.ts'
import type { Case } from '../../src/runner/case.ts'
import type { Environment, LineFaultKind } from '../../src/targets/environment.ts'
import { assume, assumeServed, demandJudged, insist, insistStatus, sightOf } from '../support/expect.ts'
import { insistRecorded } from '../support/reports.ts'
import { bodyFor, EVERYWHERE, someSwap } from '../support/swaps.ts'

/** Ways in which nothing of the chain can be read. */
const SPOILS: readonly LineFaultKind[] = ['down', 'answer-lost', 'rubbish']

async function spoil(environment: Environment, how: LineFaultKind): Promise<void> {
  assume(environment.line !== null, 'nobody here holds the line between the service and its chain')
  await environment.line.inject(how)
}
async function heal(environment: Environment): Promise<void> {
  await environment.line?.restore()
}
const powers = ['line-faults'] as const

const builds: readonly Case[] = SPOILS.map((how) => ({
  id: `build.upstream.${how}`,
  title: `a build while the chain is ${how} is 502 with its exact body, and is served again afterwards`,
  requirements: ['build.upstream-failure'],
  powers,
  run: async (environment) => {
    const client = environment.client()
    const body = bodyFor(environment, 'alice', EVERYWHERE)
    await spoil(environment, how)
    demandJudged([judgeBuildFailure(await client.build(body))])
    await heal(environment)
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
  run: async (environment) => {
    const client = environment.client()
    // A slippage that no other case asks for: no memo knows the answer while the line is spoiled.
    const query = { ...parametersOf(environment.manifest, EVERYWHERE), slippageBps: 701 + index }
    await spoil(environment, how)
    const broken = await client.quote(query)
    await heal(environment)
    const again = await client.quote({ ...query, ...(await environment.unmemoized()) })
    insist('quote.response.shape', again.status === 200, 'a quote once the chain is back', sightOf(again))
    return { exercised: 1, notes: [`while broken: ${sightOf(broken)}`] }
  },
}))

const confirms: readonly Case[] = SPOILS.map((how) => ({
  id: `confirm.upstream.${how}`,
  title: `a report while the chain is ${how} is 503, credits nothing, and is recorded afterwards`,
  requirements: ['confirm.unavailable', 'confirm.recorded'],
  powers,
  run: async (environment) => {
    const client = environment.client()
    const { build, swap } = await someSwap(environment, 'alice', EVERYWHERE)
    assumeServed(build.attribution !== null, 'the build has no attribution')
    await environment.mine(12)
    const report = { buildId: build.attribution.buildId, txHash: swap.hash }
    await spoil(environment, how)
    insistStatus('confirm.unavailable', await client.confirm(report), 503)
    await heal(environment)
    const again = await client.confirm(report)
    insistRecorded('confirm.unavailable', again)
    return { exercised: 1 }
  },
}))

/** §7: the chain cannot be read. */
export const upstreamChecks: readonly Case[] = [...builds, ...quotes, ...confirms]
