/**
 * The specification as code: every requirement with its clause, the shapes on the wire, and the limits.
 *
 * @example
 * ```ts
 * import { quoteResponseSchema, requirement } from 'plumbline-conformance'
 *
 * quoteResponseSchema.parse(await answer.json())
 * requirement('confirm.records').clause // the sentence, word for word
 * ```
 */
export { PlumblineError, UsageError } from '../spec/errors.ts'
export { LIMITS } from '../spec/limits.ts'
export {
  allRequirements,
  CAPABILITIES,
  type Capability,
  isRequirementId,
  type Level,
  matchRequirements,
  type Need,
  type Requirement,
  type RequirementId,
  requirement,
  UnknownRequirementError,
} from '../spec/requirements/index.ts'
export { type EngineId, FEE_TRANSFER_VENUES, MARKET, VENUE_IDS, type VenueId } from '../spec/venues.ts'
export {
  type Alternative,
  type Attribution,
  type BuildResponse,
  type BuildTx,
  buildResponseSchema,
  type ConfirmResponse,
  confirmResponseSchema,
  type ErrorResponse,
  errorResponseSchema,
  type FeeTransfer,
  type Hop,
  type QuoteResponse,
  quoteResponseSchema,
  type Route,
  routeSchema,
} from '../spec/wire.ts'
