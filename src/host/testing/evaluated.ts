/** Returns the arguments with which Node runs a program that is a text, and that imports sources of this checkout. */
export function evaluated(program: string): readonly string[] {
  return ['--import', 'tsx', '--input-type=module', '--eval', program]
}
