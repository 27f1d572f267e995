import { randomInt } from 'node:crypto'
import { UNPRINTABLE } from './unprintable.ts'

const ESCAPE = String.fromCharCode(27)
/** Nobody outside of this process can write it. */
const SECRET_MARK = Array.from({ length: 3 }, () => randomInt(1_000, 10_000)).join(';')
/** Allows the command that follows it. Like a colour, it has no width. */
const OWN_COMMAND = `${ESCAPE}[${SECRET_MARK}m`
/** The mark comes first: a library that draws tables would take a colour for open, and close it by a code of its own. */
const ownColour = (code: string) => `${ESCAPE}[${SECRET_MARK};${code}m`
const OWN_COLOUR = `${ESCAPE}\\[${SECRET_MARK};(\\d{1,2})m`

/** GitHub's and Azure's `##[`, Azure's `##vso[` and TeamCity's `##teamcity[` count anywhere in a line. */
const COMMAND_ANYWHERE = /#(?=#[a-z]{0,20}\[)/gi
/** GitHub's `::`, Buildkite's headings and Travis's folds count at the beginning of a line, after spaces too. */
const COMMAND_AT_START = new RegExp(
  `^((?:[^\\S\\n\\r\\u2028\\u2029]|${OWN_COLOUR.replace('(', '(?:')})*)(?=::|---|\\+\\+\\+|~~~|\\^\\^\\^|travis_(?:fold|time):)(.)`,
  'gm',
)
const OWN_OR_UNPRINTABLE = new RegExp(`${OWN_COLOUR}|${OWN_COMMAND.replace('[', '\\[')}|${UNPRINTABLE}`, 'gu')

/**
 * Returns a text as a terminal and a CI runner may get it: whatever of it they would act upon is written as `\uXXXX`, which JSON
 * reads as the same text. Line feeds, tabs, and what `ownColours` and `asCommand` made stay.
 */
export function printable(text: string): string {
  return text
    .replaceAll(COMMAND_ANYWHERE, escaped)
    .replaceAll(COMMAND_AT_START, (_, before: string, first: string) => `${before}${escaped(first)}`)
    .replaceAll(OWN_OR_UNPRINTABLE, (found, colour: string | undefined) => {
      if (colour !== undefined) return `${ESCAPE}[${colour}m`
      return found === OWN_COMMAND ? '' : escaped(found)
    })
}

/** Returns a workflow command of our own, which `printable` leaves a command. */
export function asCommand(line: string): string {
  return `${OWN_COMMAND}${line}`
}

/** Returns a function that colours a text, as one that `printable` leaves a colour. */
export function ownColours(paint: (text: string) => string): (text: unknown) => string {
  const [before = '', after = ''] = paint('\n')
    .split('\n')
    .map((code) => code.replaceAll(PLAIN_COLOUR, (_, number: string) => ownColour(number)))
  return (text) => `${before}${text}${after}`
}

const PLAIN_COLOUR = new RegExp(`${ESCAPE}\\[(\\d{1,2})m`, 'g')

function escaped(text: string): string {
  return Array.from(
    { length: text.length },
    (_, index) => `\\u${text.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('')
}
