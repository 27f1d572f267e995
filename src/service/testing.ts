/**
 * The test interface of the service: the only file through which tests outside `src/service` may reach inside. The simulation
 * runs the service on its own ports, and `conformance/defects` breaks it at its seams. Anything not listed here may change
 * without regard to either.
 */

export { createBuilder } from './build/builder.ts'
export { startBudget } from './chain/deadline.ts'
export type { ServiceDeps, ServicePolicy } from './deps.ts'
// Run the service without sockets, changed at its ports, its rules or on the wire.
export type { Domain } from './domain.ts'
export {
  AlreadyAttributedError,
  BuildNotFoundError,
  ChainUnavailableError,
  NoExecutableRouteError,
  StoreUnavailableError,
  TransactionRejectedError,
  UnauthorizedError,
} from './errors.ts'
export type { InjectedAnswer, InjectedRequest, InProcessService } from './injected.ts'
export { hashSecret } from './partners/secret.ts'
export { DEFAULT_POLICY } from './policy.ts'
export type { Chain, Clock, Ids, Log, RpcCall, RpcReply, Store } from './ports.ts'
export { dropReverting, orderOf } from './quote/presimulate.ts'
export type { Priced } from './quote/price.ts'
export { createQuoter, type Quoter } from './quote/quoter.ts'
export { type Candidate, netRaw, rank } from './quote/ranking.ts'
export { createRouteView, feeEnvelope } from './quote/view.ts'
export type { Attribution, Build, PartnerMetrics } from './records.ts'
export type { Address, SwapRequest } from './requests.ts'
export { around, type ServiceSeams, startInProcess, tapped } from './seams.ts'
export { storeOn } from './store/libsql.ts'
export { createHttpChain, type HttpChain } from './system/chain.ts'
export { readReplies } from './system/jsonRpc.ts'
export type { Order, Settlement } from './venues/venue.ts'
