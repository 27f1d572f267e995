import type { SwapParameters } from '../../src/oracles/index.ts'
import type { Case } from '../../src/runner/cases/case.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'
import type { BuildResponse } from '../../src/spec/wire.ts'
import type { With } from '../../src/targets/environment/environment.ts'
import { assert, responseText } from '../support/expect.ts'
import { sendBuild } from '../support/judged.ts'
import { PLAIN, reporting } from '../support/reports.ts'
import { bodyFor, execute, prepareMined } from '../support/swaps.ts'
import { withFee } from '../support/twins.ts'

/** Builds with some addresses in lower case instead of checksum case. */
async function buildInLowerCase(
  environment: With<'control'>,
  ask: SwapParameters,
  { fields, clause }: { readonly fields: readonly string[]; readonly clause: RequirementId },
): Promise<BuildResponse> {
  const body: Record<string, unknown> = bodyFor(environment, 'alice', ask)
  const lowered = fields.map((field) => [field, String(body[field]).toLowerCase()] as const)
  const inLowerCase = { ...body, ...Object.fromEntries(lowered) }
  const { build, answer } = await sendBuild(environment, inLowerCase, { mustBe: 'anything' })
  assert(clause, answer.status === 200, 'status 200', responseText(answer))
  assert('build.response.route', build !== null, 'a complete build', responseText(answer))
  return build
}

/** The addresses of a build, each with the requirement that refusing it in lower case would violate. */
const ROWS: readonly (readonly [
  name: string,
  clause: RequirementId,
  fields: readonly string[],
  ask: SwapParameters,
])[] = [
  ['sender', 'build.sender.valid', ['sender'], PLAIN],
  [
    'partnerFeeRecipient',
    'build.partner-fee-recipient.address',
    ['partnerFeeRecipient'],
    { ...PLAIN, ...(withFee() as Pick<SwapParameters, 'partnerFeeBps' | 'partnerFeeRecipient'>) },
  ],
  [
    'fromAddress',
    'build.unknown-token.same-rules',
    ['fromAddress'],
    { from: 'EIGHTEEN', to: 'WETH', amount: 2_500 },
  ],
  ['toAddress', 'build.unknown-token.same-rules', ['toAddress'], { from: 'WETH', to: 'EIGHTEEN', amount: 1 }],
]
const served: readonly Case<'control'>[] = ROWS.map(([name, clause, fields, ask]) => ({
  id: `build.serves.lower-case.${name}`,
  title: `a build whose ${name} is in lower case is served`,
  requirements: [clause],
  uses: ['control'],
  run: async (environment) => {
    await buildInLowerCase(environment, ask, { fields, clause })
    return { exercised: 1 }
  },
}))

/** The chain compares addresses and values by their bytes, regardless of how the request wrote them. */
const recorded: Case<'control'> = {
  id: 'confirm.records.sender-in-lower-case',
  title: 'the swap of a build whose sender was in lower case, without native value, is recorded',
  requirements: ['confirm.records'],
  uses: ['control'],
  run: reporting(async (reports, environment) => {
    const createdAtMs = environment.clock.nowMs()
    const build = await buildInLowerCase(environment, PLAIN, {
      fields: ['sender'],
      clause: 'confirm.records',
    })
    reports.add(build, environment.address('alice'), 'one', createdAtMs)
    await prepareMined(environment, 'alice', PLAIN, build)
    const { swap } = await execute(environment, 'alice', build)
    await environment.control.mine(12)
    await reports.recorded(build, swap.hash, 'confirm.records')
  }),
}

/** §2: the letter case of an address's digits has no meaning. */
export const letterCases: readonly Case[] = [...served, recorded]
