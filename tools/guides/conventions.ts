import type { Requirement } from '../../src/spec/requirements/index.ts'
import type { SandboxRule } from '../../src/spec/sandboxRules.ts'
import type { Tolerance } from '../../src/spec/tolerances.ts'

/** The sources of the page of conventions. */
export interface ConventionsSource {
  readonly requirements: readonly Requirement[]
  readonly rules: readonly SandboxRule[]
  readonly tolerances: readonly Tolerance[]
}

/** Returns the page of everything that the suite requires and the specification does not state. */
export function conventionsPage({ requirements, rules, tolerances }: ConventionsSource): string {
  const conventions = requirements.filter(({ level }) => level === 'convention')
  return `${[
    '# Conventions',
    '',
    'What the suite holds to although the specification does not say it, for whoever writes a service that is to be run against',
    'it. A convention that is not kept is reported with what was seen, and the service still conforms; with `--strict` it counts as',
    'a failure. Where a `must` says more than its clause, the [page of its section](requirements/README.md) names the words that say the rest.',
    '',
    '## Judged conventions',
    ...conventions.flatMap(({ id, section, clause, statement, convention }) => [
      '',
      `### ${id} (§${section})`,
      '',
      `> ${clause}`,
      '',
      statement,
      '',
      `Why: ${convention?.because}`,
      '',
      'Keeps it as well:',
      '',
      ...(convention?.accepts ?? []).map((each) => `- ${each}`),
    ]),
    '',
    '## What the sandbox fixes',
    '',
    'A service that is run with `--profile sandbox` works with these contracts and this chain. Nothing here is judged by itself.',
    ...rules.flatMap(({ title, because, accepts }) => [
      '',
      `### ${title}`,
      '',
      because,
      '',
      ...accepts.map((each) => `- accepted: ${each}`),
    ]),
    '',
    '## Numeric tolerances',
    '',
    'Both a service that calculates in doubles and one that is exact to the base unit are within these.',
    '',
    '| figure | accepted | why |',
    '| --- | --- | --- |',
    ...tolerances.map(
      ({ figure, accepted, derivation }) => `| ${cell(figure)} | ${cell(accepted)} | ${cell(derivation)} |`,
    ),
  ].join('\n')}\n`
}

/** Returns the text of a cell of a table. */
export const cell = (text: string): string => text.replaceAll('|', '\\|')
