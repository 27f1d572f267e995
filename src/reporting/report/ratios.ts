import { z } from 'zod'

/** The version of the file that benchmarks write. */
export const RATIOS_SCHEMA = 'plumbline-ratios/1'

/** One measured figure. Ratios are taken within one run, so that the machine falls out of them. */
export const ratioSchema = z.object({
  name: z.string(),
  /** What was measured beside what. */
  what: z.string(),
  value: z.number(),
  /** The most that it may be; null: nobody promised. */
  atMost: z.number().nullable(),
  unit: z.string(),
})

export const ratiosSchema = z.object({ schema: z.literal(RATIOS_SCHEMA), ratios: z.array(ratioSchema) })

export type Ratio = z.infer<typeof ratioSchema>
