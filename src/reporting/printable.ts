import { randomInt } from 'node:crypto'
import { UNPRINTABLE } from './unprintable.ts'

const ESCAPE = String.fromCharCode(27)
/** A mark that nothing outside this process can write. */
const SECRET_MARK = Array.from({ length: 3 }, () => randomInt(1_000, 10_000)).join(';')
/** Allows the command that follows it. Like a colour, it has no width. */
const OWN_COMMAND = `${ESCAPE}[${SECRET_MARK}m`
/** The mark comes first: a table library would take a colour for open, and close it with its own code. */
const ownColour = (code: string) => `${ESCAPE}[${SECRET_MARK};${code}m`
const OWN_COLOUR = `${ESCAPE}\\[${SECRET_MARK};(\\d{1,2})m`

/** GitHub and Azure read `##[` anywhere in a line, Azure also `##vso[`, TeamCity `##teamcity[`. */
const COMMAND_ANYWHERE = /#(?=#[a-z]{0,20}\[)/gi
/** GitHub's `::`, Buildkite's headings and Travis's folds have a meaning at the start of a line, after spaces too. */
const COMMAND_AT_START = new RegExp(
  `^((?:[^\\S\\n\\r\\u2028\\u2029]|${OWN_COLOUR.replace('(', '(?:')})*)(?=::|---|\\+\\+\\+|~~~|\\^\\^\\^|travis_(?:fold|time):)(.)`,
  'gm',
)
const OWN_OR_UNPRINTABLE = new RegExp(`${OWN_COLOUR}|${OWN_COMMAND.replace('[', '\\[')}|${UNPRINTABLE}`, 'gu')

/**
 * Returns a text that is safe for a terminal and a CI runner: whatever they would act on is written as `\uXXXX`, which JSON
 * reads as the same text. Line feeds, tabs, and the marks of `ownColours` and `asCommand` are kept.
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

/** Marks a workflow command as Plumbline's own, so that `printable` keeps it. */
export function asCommand(line: string): string {
  return `${OWN_COMMAND}${line}`
}

/** Returns a function that colours a text so that `printable` keeps the colour. */
export function ownColours(paint: (text: string) => string): (text: unknown) => string {
  const [before = '', after = ''] = paint('\n')
    .split('\n')
    .map((code) => code.replaceAll(PLAIN_COLOUR, (_, number: string) => ownColour(number)))
  return (text) => `${before}${text}${after}`
}

const PLAIN_COLOUR = new RegExp(`${ESCAPE}\\[(\\d{1,2})m`, 'g')

function escaped(text: string): string {
  return text.replaceAll(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
