import type { Variant } from '../../src/runner/proof/variant.ts'
import { amountVariants } from './amounts.ts'
import { answerVariants } from './answers.ts'
import { buildVariants } from './build.ts'
import { clientVariants } from './clients.ts'
import { confirmVariants } from './confirm.ts'
import { partnerVariants } from './partners.ts'
import { quoteVariants } from './quote.ts'
import { requestVariants } from './requests.ts'

/** Services and clients that keep every promise in a different way than the reference: the suite must not fail any of them. */
export const VARIANTS: readonly Variant[] = [
  ...answerVariants,
  ...amountVariants,
  ...buildVariants,
  ...confirmVariants,
  ...partnerVariants,
  ...quoteVariants,
  ...requestVariants,
  ...clientVariants,
]
