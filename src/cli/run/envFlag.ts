import { InvalidArgumentError } from 'commander'

/** The flag that names variables of the environment which a started service gets. */
export const ENV_FLAG = [
  '--env <name>',
  'a variable of the environment that the service gets as well; may be given several times',
  named,
] as const

/** The names of environment variables, as POSIX has them. */
export const VARIABLE_NAME = /^[A-Za-z_]\w*$/

function named(name: string, before: readonly string[] = []): readonly string[] {
  if (VARIABLE_NAME.test(name)) return [...before, name]
  throw new InvalidArgumentError(
    'the name of a variable is needed, such as MY_TOKEN; its value is that of the environment.',
  )
}
