import { parametersOf } from '../../src/oracles/index.ts'
import type { Case } from '../../src/runner/cases/case.ts'
import type { LineFaultKind } from '../../src/simulation/faults/faults.ts'
import { assert, assumeTwin, noteChoice, priceOf, responseText } from '../support/expect.ts'
import { POOLS_UNKNOWN, sendBuild } from '../support/judged.ts'
import { buildIdOf, reporting } from '../support/reports.ts'
import { bodyFor, EVERYWHERE } from '../support/swaps.ts'

/** Faults under which nothing of the chain can be read. */
const FAULTS: readonly LineFaultKind[] = ['down', 'answer-lost', 'rubbish', 'refused']
/**
 * Faults under which pools can be read but Alice's swap cannot be simulated. A service may know the outcome without the chain,
 * but it must not report an unknown outcome as a revert.
 */
const MIDWAY: readonly LineFaultKind[] = ['down-later', 'down-alice', 'rubbish-alice', 'refused-alice']

const builds: readonly Case<'control' | 'line'>[] = [...FAULTS, ...MIDWAY].map((how) => ({
  id: `build.upstream.${how}`,
  title: MIDWAY.includes(how)
    ? `a build whose simulation meets a chain that is ${how} is 502 with its exact body, or served; never 422`
    : `a build while the chain is ${how} is 502 with its exact body, and is served again afterwards`,
  requirements: ['build.upstream-failure', ...(how === 'down' ? (['build.never-cached'] as const) : [])],
  uses: ['control', 'line'],
  run: async (environment) => {
    const client = environment.client()
    const body = bodyFor(environment, 'alice', EVERYWHERE)
    // A response built now must not be repeated while nothing can be built.
    assumeTwin('build', await client.build(body))
    await environment.line.inject(how)
    const onResponse = () => environment.line.restore()
    const mustBe = MIDWAY.includes(how) ? 'served-or-failed' : 'failed'
    const intent = { mustBe, clauses: ['build.upstream-failure'] } as const
    await sendBuild(environment, body, intent, { known: POOLS_UNKNOWN, onResponse })
    const again = await client.build(body)
    assert(
      'build.upstream-failure',
      again.status === 200,
      'a build once the chain is back',
      responseText(again),
    )
    assumeTwin('build', again)
    return { exercised: 1 }
  },
}))

const quotes: readonly Case<'control' | 'line'>[] = FAULTS.map((how, index) => ({
  id: `quote.upstream.${how}`,
  title: `the response of a quote while the chain is ${how}, and that it is served again afterwards`,
  requirements: ['quote.errors', 'quote.response.shape'],
  uses: ['control', 'line'],
  run: async (environment) => {
    const client = environment.client()
    // No other case uses this slippage, so no memo holds the answer while the connection is broken.
    const query = { ...parametersOf(environment.manifest, EVERYWHERE), slippageBps: 701 + index }
    await environment.line.inject(how)
    const broken = await client.quote(query)
    noteChoice('quote.errors/upstream', priceOf(broken), broken, `while broken: ${broken.status}`)
    await environment.line.restore()
    const again = await client.quote({ ...query, ...(await environment.unmemoized()) })
    assert(
      'quote.response.shape',
      again.status === 200,
      'a quote once the chain is back',
      responseText(again),
    )
    return { exercised: 1, notes: [`while broken: ${responseText(broken)}`] }
  },
}))

const confirms: readonly Case<'control' | 'line'>[] = FAULTS.map((how) => ({
  id: `confirm.upstream.${how}`,
  title: `a report while the chain is ${how} is 503, credits nothing, and is recorded afterwards`,
  requirements: ['confirm.unavailable', 'confirm.recorded'],
  uses: ['control', 'line'],
  run: reporting(async (reports, { line }) => {
    const { build, swap } = await reports.deepSwap(EVERYWHERE)
    await line.inject(how)
    await reports.send(build, swap.hash, { verification: 'unavailable', clauses: ['confirm.unavailable'] })
    await line.restore()
    await reports.recorded(build, swap.hash, 'confirm.unavailable')
  }),
}))

/** Reading part of the chain before the line breaks is not enough, unless that part was all the service needs. */
const confirmMidway: Case<'control' | 'line'> = {
  id: 'confirm.upstream.down-later',
  title: 'a report while the chain answers one request only is 503, or 200 for what that one showed',
  requirements: ['confirm.unavailable'],
  uses: ['control', 'line'],
  run: reporting(async (reports, environment) => {
    const { build, swap } = await reports.deepSwap(EVERYWHERE)
    await environment.line.inject('down-later')
    const answer = await environment.client().confirm({ buildId: buildIdOf(build), txHash: swap.hash })
    await environment.line.restore()
    const isKnown = answer.status === 200
    const unavailable = { verification: 'unavailable', clauses: ['confirm.unavailable'] } as const
    await reports.send(build, swap.hash, { ...(isKnown ? {} : unavailable), send: async () => answer })
    await reports.recorded(build, swap.hash, 'confirm.unavailable')
  }),
}

/** §7: the chain cannot be read, or only in part. */
export const upstreamCases: readonly Case[] = [...builds, ...quotes, ...confirms, confirmMidway]
