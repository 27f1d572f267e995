import type { Argument, Command } from 'commander'

/** Returns each command with its arguments and flags. */
export function programOf(commands: readonly Command[], parent = ''): Record<string, string> {
  return Object.assign(
    {},
    ...commands.map((command) => {
      const name = `${parent}${command.name()}`
      const flags = command.options
        .filter(({ hidden }) => !hidden)
        .map(({ flags, mandatory }) => [
          `flag ${name} ${flags.match(/--[\w-]+/)?.[0]}`,
          `${flags}${mandatory ? ', required' : ''}`,
        ])
      return {
        [`command ${name}`]: command.registeredArguments.map(argumentOf).join(' ') || 'no arguments',
        ...Object.fromEntries(flags),
        ...programOf(command.commands, `${name} `),
      }
    }),
  )
}

const argumentOf = (argument: Argument): string => {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`
  return argument.required ? `<${name}>` : `[${name}]`
}
