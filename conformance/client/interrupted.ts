import { type ClientCase, clientCases, DONE, FEE, NATIVE, named, TOKENS } from './support.ts'

/** Kills the client once at a request to the service, or at a transaction sent to the node, and starts it again. */
const killedAtService =
  (on: 'build' | 'confirm'): NonNullable<ClientCase['faults']> =>
  (_chain, _environment, restart) => ({ service: [{ on, times: 1, meanwhile: restart }] })
const killedAtNode =
  (on: 'approval' | 'fee transfer' | 'swap'): NonNullable<ClientCase['faults']> =>
  (_chain, _environment, restart) => ({ node: [{ on, times: 1, meanwhile: restart }] })

/** A client that is killed, and requests that fail on the way: one swap, one fee, recorded once. */
export const clientInterruptedCases = clientCases({
  'killed.after-build': {
    title: 'killed once it has a build, and started again',
    requirements: ['client.one-swap', 'client.done-when-recorded'],
    goal: { ...TOKENS, ...FEE, preferEngine: 'venue_d' },
    faults: killedAtService('build'),
  },
  'killed.after-approval': {
    title: 'killed once it has sent its approval, and started again',
    requirements: ['client.one-swap', 'client.approval.spender'],
    goal: { ...TOKENS, ...FEE, preferEngine: 'venue_a' },
    faults: killedAtNode('approval'),
  },
  'killed.after-fee': {
    title: 'killed between the fee transfer and the swap, and started again: the fee is paid once',
    requirements: ['client.fee-transfer.once', 'client.one-swap'],
    goal: { ...TOKENS, ...FEE, preferEngine: 'venue_c' },
    intent: { ...DONE, clauses: ['client.fee-transfer.once'] },
    faults: killedAtNode('fee transfer'),
  },
  'killed.after-swap': {
    title: 'killed once it has sent the swap, and started again: one swap',
    requirements: ['client.one-swap', 'client.persists-and-retries'],
    goal: NATIVE,
    intent: { ...DONE, clauses: ['client.one-swap'] },
    faults: killedAtNode('swap'),
  },
  'killed.while-pending': {
    title: 'killed at the first 202, and started again: the same swap is reported',
    requirements: ['client.persists-and-retries', 'client.one-swap'],
    goal: { ...TOKENS, ...FEE },
    intent: { ...DONE, clauses: ['client.persists-and-retries'] },
    faults: killedAtService('confirm'),
  },
  'lost.quote': {
    title: 'the response to the quote is lost',
    requirements: ['client.done-when-recorded'],
    goal: NATIVE,
    faults: named('quote-lost'),
  },
  'lost.build': {
    title: 'the response to a build is lost',
    requirements: ['client.done-when-recorded', 'client.one-swap'],
    goal: { ...TOKENS, ...FEE },
    faults: named('build-lost'),
  },
  'lost.swap.sent': {
    title: 'the node has the swap, and its response is lost: the swap is not sent anew',
    requirements: ['client.one-swap'],
    goal: NATIVE,
    intent: { ...DONE, clauses: ['client.one-swap'] },
    faults: () => ({ node: [{ on: 'swap', times: 1, cut: 'response' }] }),
  },
  'lost.swap.unsent': {
    title: 'the swap does not reach the node: the same one is sent again',
    requirements: ['client.one-swap', 'client.done-when-recorded'],
    goal: NATIVE,
    faults: () => ({ node: [{ on: 'swap', times: 1, cut: 'request' }] }),
  },
  'lost.fee': {
    title: 'the node has the fee transfer, and its response is lost: it is not paid again',
    requirements: ['client.fee-transfer.once', 'client.fee-transfer-first'],
    goal: { ...NATIVE, ...FEE, preferEngine: 'venue_c' },
    intent: { ...DONE, clauses: ['client.fee-transfer.once'] },
    faults: () => ({ node: [{ on: 'fee transfer', times: 1, cut: 'response' }] }),
  },
  'lost.confirm': {
    title: 'the response that says that the swap is recorded is lost: the report is repeated',
    requirements: ['client.done-when-recorded', 'client.reports-swap'],
    goal: NATIVE,
    faults: named('confirm-lost'),
  },
})
