import { Option } from 'commander'
import { atLeastOne, wholeNumber } from '../../src/cli/wholeNumber.ts'

export const seed = new Option('--seed <n>', 'determines all actions and their times')
  .argParser(wholeNumber)
  .default(1)

export const only = new Option('--only <pattern...>', 'run only these cases').default([])

/** Returns an option for a number of at least 1. */
export function count(flags: string, description: string, initial: number): Option {
  return new Option(flags, description).argParser(atLeastOne).default(initial)
}

/** Returns an option for several numbers: the first one replaces the default, further ones are added. */
export function counts(flags: string, description: string, initial: readonly number[]): Option {
  return new Option(flags, description)
    .default(initial)
    .argParser((text, before: readonly number[]) => [...(before === initial ? [] : before), atLeastOne(text)])
}
