export function casesOf<Case>(run: {
  readonly suites: readonly { readonly cases: readonly Case[] }[]
}): readonly Case[] {
  return run.suites.flatMap(({ cases }) => cases)
}
