import { OUTSIDE_CHAIN } from './chain.ts'
import type { OutsideForgery } from './forgery.ts'
import { OUTSIDE_REPORTS } from './reports.ts'
import { OUTSIDE_TRIPS } from './trips.ts'

/** Every kind of forgery of a recording from outside, with its result. */
export const OUTSIDE_FORGERIES: readonly OutsideForgery[] = [
  ...OUTSIDE_REPORTS,
  ...OUTSIDE_TRIPS,
  ...OUTSIDE_CHAIN,
]
