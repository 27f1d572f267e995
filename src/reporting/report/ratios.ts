import { z } from 'zod'
import { curveSchema } from './curves.ts'

/** The version of the benchmarks' output file. */
export const RATIOS_SCHEMA = 'plumbline-ratios/1'

/** One measured figure. Ratios are taken within one run, so that they do not depend on the machine. */
const ratioSchema = z.object({
  name: z.string(),
  /** What was compared with what. */
  what: z.string(),
  value: z.number(),
  /** The maximum; null: none. */
  atMost: z.number().nullable(),
  /** The minimum; absent: none. */
  atLeast: z.number().optional(),
  unit: z.string(),
})

export const ratiosSchema = z.object({
  schema: z.literal(RATIOS_SCHEMA),
  ratios: z.array(ratioSchema),
  /** Cost against size; empty in a file of an earlier version. */
  curves: z.array(curveSchema).default([]),
})

export type Ratio = z.infer<typeof ratioSchema>
export type Ratios = z.infer<typeof ratiosSchema>
