import type { Defect } from '../defect.ts'
import { bodyHoles } from './bodies.ts'
import { narrowConfirms } from './confirms.ts'
import { narrowFailures } from './failures.ts'
import { parserHoles } from './parsers.ts'
import { narrowQuotes } from './quotes.ts'
import { pickyServices } from './refusals.ts'
import { narrowBuilds } from './venues.ts'

/**
 * Services that break one promise in one place only: for one class of values, one venue, one direction, one end of a
 * range. Each is there for the one case that stands for that place.
 */
export const NARROW_DEFECTS: readonly Defect[] = [
  ...parserHoles,
  ...bodyHoles,
  ...pickyServices,
  ...narrowQuotes,
  ...narrowBuilds,
  ...narrowFailures,
  ...narrowConfirms,
]
