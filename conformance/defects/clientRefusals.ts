import { SwapFailedError, SwapRefusedError } from '../../src/client/reference/ports.ts'
import type { ClientRules } from '../../src/client/reference/rules.ts'
import type { Defect } from '../../src/runner/proof/defect.ts'
import type { Goal } from '../../src/spec/goal.ts'
import { LIMITS } from '../../src/spec/limits.ts'
import type { BuildResponse } from '../../src/spec/wire.ts'
import { brokenClients } from './helpers/clients.ts'

/** Changes the build whose cost is judged. */
const costing =
  (change: (build: BuildResponse, goal: Goal) => BuildResponse) =>
  ({ objectionToCost }: ClientRules): Partial<ClientRules> => ({
    objectionToCost: (build, goal) => objectionToCost(change(build, goal), goal),
  })

/** Turns a decision not to swap into a failure. */
function failing(objection: string | null): null {
  if (objection !== null) throw new SwapFailedError(objection)
  return null
}

/** Clients that accept what they should refuse, or do not say that they refused it. */
export const clientRefusalDefects: readonly Defect[] = brokenClients({
  'client-refusals.node-unchecked': [
    'client.node-of-other-chain',
    'What chain the node is of is not looked at.',
    () => ({ objectionToNode: () => null }),
  ],
  'client-refusals.node-checked-after-approval': [
    'client.node-of-other-chain',
    'The chain of the node is looked at when the swap is signed, after the approval.',
    ({ objectionToNode, swap }) => {
      let objection: string | null = null
      return {
        objectionToNode: (chainId) => {
          objection = objectionToNode(chainId)
          return null
        },
        swap: (build) => {
          if (objection !== null) throw new SwapRefusedError(objection)
          return swap(build)
        },
      }
    },
  ],
  'client-refusals.value-unchecked': [
    'client.cost.accepted',
    'A build may send any value where ETH is sold.',
    costing((build, goal) =>
      goal.from.address === 'native' ? { ...build, tx: { ...build.tx, value: '0' } } : build,
    ),
  ],
  'client-refusals.value-unchecked-for-tokens': [
    'client.cost.accepted',
    'A build may send any value where a token is sold: it is taken for the fee of the venue.',
    costing((build, goal) =>
      goal.from.address === 'native' ? build : { ...build, tx: { ...build.tx, value: '0' } },
    ),
  ],
  'client-refusals.value-and-fee-apart': [
    'client.cost.accepted',
    'The value and the fee transfer are compared with the amount, each by itself.',
    ({ objectionToCost }) => ({
      objectionToCost: (build, goal) =>
        objectionToCost({ ...build, feeTransfer: null }, goal) ??
        objectionToCost({ ...build, tx: { ...build.tx, value: '0' } }, goal),
    }),
  ],
  'client-refusals.fee-unchecked': [
    'client.cost.accepted',
    'Any fee in the token that is sold is paid, where the amount has room for it.',
    costing(({ tx, feeTransfer, ...build }, { from }) => {
      if (feeTransfer !== null && feeTransfer.token.toLowerCase() !== from.address.toLowerCase())
        return { ...build, tx, feeTransfer }
      const feeRaw = from.address === 'native' ? BigInt(feeTransfer?.amountRaw ?? 0) : 0n
      return { ...build, tx: { ...tx, value: `${BigInt(tx.value) + feeRaw}` }, feeTransfer: null }
    }),
  ],
  'client-refusals.cost-checked-once': [
    'client.cost.accepted',
    'The cost of the first build alone is looked at.',
    ({ objectionToCost }) => {
      let builds = 0
      return {
        objectionToCost: (build, goal) => {
          builds += 1
          return builds > 1 ? null : objectionToCost(build, goal)
        },
      }
    },
  ],
  'client-refusals.fee-below-limit': [
    'client.cost.accepted',
    'A fee is compared with the most that the service takes, and not with that of the user.',
    ({ objectionToCost }) => ({
      objectionToCost: (build, goal) =>
        objectionToCost(
          build,
          goal.partnerFeeBps === undefined ? goal : { ...goal, partnerFeeBps: LIMITS.partnerFeeBps.max },
        ),
    }),
  ],
  'client-refusals.fee-unasked': [
    'client.cost.accepted',
    'Where the user asks for no fee, nobody looks for one.',
    costing((build, { partnerFeeBps }) =>
      partnerFeeBps === undefined ? { ...build, feeTransfer: null } : build,
    ),
  ],
  'client-refusals.fee-coin-unchecked': [
    'client.cost.accepted',
    'The fee transfer may be of any token.',
    costing((build, { from }) =>
      build.feeTransfer === null
        ? build
        : { ...build, feeTransfer: { ...build.feeTransfer, token: from.address } },
    ),
  ],
  'client-refusals.refusal-is-failure': [
    'client.refusal-is-said',
    'A client that refuses a build ends as if it had failed: whoever starts it tries again.',
    (rules) => ({
      objectionToBuild: (build, goal) => failing(rules.objectionToBuild(build, goal)),
      objectionToRoute: (route) => failing(rules.objectionToRoute(route)),
      objectionToCost: (build, goal) => failing(rules.objectionToCost(build, goal)),
      objectionToNode: (chainId) => failing(rules.objectionToNode(chainId)),
    }),
  ],
  'client-refusals.refusal-without-reason': [
    'client.refusal-is-said',
    'A client that refuses a build prints nothing about it.',
    { ports: ({ print }) => ({ print: (line) => (line.includes('"refused"') ? undefined : print(line)) }) },
  ],
  'client-refusals.failure-is-refusal': [
    'client.refusal-is-said',
    'A swap that is not recorded is called refused, although it was sent.',
    ({ meaning }) => ({
      meaning: (on, status) => {
        if (on === 'confirm' && meaning(on, status) === 'rejected')
          throw new SwapRefusedError(`the report got ${status}`)
        return meaning(on, status)
      },
    }),
  ],
})
