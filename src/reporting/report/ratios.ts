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
  /** For a ratio to a peer, the other tools that do the same: medians and 95th percentiles in ms, next to our own. */
  peer: z
    .object({
      /** The tool with its version, how it isolates a test from the one before, and how its chain is reached. */
      name: z.string(),
      way: z.string(),
      transport: z.string(),
      /** What was timed: `isolation`, `lifecycle`. */
      work: z.string(),
      oursMs: z.number(),
      oursP95Ms: z.number(),
      theirsMs: z.number(),
      theirsP95Ms: z.number(),
    })
    .optional(),
})

export const ratiosSchema = z.object({
  schema: z.literal(RATIOS_SCHEMA),
  ratios: z.array(ratioSchema),
  /** Cost against size; empty in a file of an earlier version. */
  curves: z.array(curveSchema).default([]),
  /** Peers that did not do the work, and why: they are no slower ones. */
  notRun: z.array(z.object({ name: z.string(), reason: z.string() })).default([]),
})

export type Ratio = z.infer<typeof ratioSchema>
export type Ratios = z.infer<typeof ratiosSchema>
