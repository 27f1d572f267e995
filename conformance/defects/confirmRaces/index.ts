import type { Defect } from '../defect.ts'
import { careless } from './chain.ts'
import { sharing } from './memo.ts'
import { forgetful } from './store.ts'

/** Those that need something to happen between two steps of one request, or a service that starts again. */
const BETWEEN_THE_STEPS: ReadonlySet<string> = new Set([
  'confirm-races.no-canonical-check',
  'confirm-races.replaced-by-nonce',
  'confirm-races.check-then-write',
  'confirm-races.restart-counts-again',
])

/** Broken services that answer rightly as long as nothing happens at the wrong moment: random simulation finds them. */
export const RACE_DEFECTS: readonly Defect[] = [...careless, ...forgetful, ...sharing].map((defect) =>
  BETWEEN_THE_STEPS.has(defect.id) ? { ...defect, shownBy: 'story' } : defect,
)
