import type { Command } from 'commander'

/** The words that may follow a command. */
export interface Place {
  /** The words that lead here: `keys issue`; empty for the program itself. */
  readonly path: string
  readonly words: readonly Word[]
  /** Flags with a fixed set of values. */
  readonly choices: readonly { readonly flag: string; readonly values: readonly string[] }[]
}

interface Word {
  readonly text: string
  readonly description: string
}

/** Returns every command with the words that may follow it. */
export function placesOf(command: Command, path = ''): readonly Place[] {
  const help = command.createHelp()
  const commands = help.visibleCommands(command).filter((child) => child.name() !== 'help')
  const options = help.visibleOptions(command)
  const own: Place = {
    path,
    words: [
      ...commands.map((child) => ({ text: child.name(), description: firstSentence(child.description()) })),
      ...options.flatMap(({ long, description }) =>
        long === undefined || long === null ? [] : [{ text: long, description: firstSentence(description) }],
      ),
    ],
    choices: [
      ...options.flatMap(({ long, argChoices }) =>
        long && argChoices ? [{ flag: long, values: argChoices }] : [],
      ),
    ],
  }
  const inner = commands.flatMap((child) =>
    placesOf(child, path === '' ? child.name() : `${path} ${child.name()}`),
  )
  return [own, ...inner]
}

function firstSentence(text: string): string {
  const [first = ''] = text.split(/(?<=\.)\s|\n/, 1)
  return first.replace(/\.$/, '')
}
