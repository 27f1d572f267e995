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
    'Rules of the suite that the specification does not state, for authors of a service under test. A service that departs from a',
    'convention still conforms, and the run reports what it did; with `--strict` it fails. Where a `must` says more than its clause, the',
    '[page of its section](requirements/README.md) names the words behind the rest.',
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
