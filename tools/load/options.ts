import { Option } from 'commander'
import { atLeastOne, wholeNumber } from '../../src/cli/wholeNumber.ts'

export const seed = new Option('--seed <n>', 'decides what is done, and when')
  .argParser(wholeNumber)
  .default(1)

export const only = new Option('--only <pattern...>', 'run these cases alone').default([])

/** Returns an option of a number that is at least 1. */
export function count(flags: string, description: string, initial: number): Option {
  return new Option(flags, description).argParser(atLeastOne).default(initial)
}

/** Returns an option of several numbers: the first one replaces the default, the others are added to it. */
export function counts(flags: string, description: string, initial: readonly number[]): Option {
  return new Option(flags, description)
    .default(initial)
    .argParser((text, before: readonly number[]) => [...(before === initial ? [] : before), atLeastOne(text)])
}
