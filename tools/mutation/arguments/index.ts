import { amounts } from './amounts.ts'
import type { Argument } from './argument.ts'
import { silence } from './silence.ts'

/** Every argument; a mutant that several would fit belongs to the first. */
export const ARGUMENTS: readonly Argument[] = [...silence, ...amounts]
