import { type Point, settlementOf } from '../../src/spec/openPoints/index.ts'
import { STATUS } from '../../src/spec/openPoints/types.ts'
import { type RequirementId, requirement } from '../../src/spec/requirements/index.ts'
import { cell } from './conventions.ts'

/** The answers of a service, by open point. */
type Answers = Readonly<Record<string, string>>

/** Returns the page of the open points: the answers of two services, and a sentence that would settle each. */
export function openPointsPage(
  points: readonly Point[],
  { reference, python }: { readonly reference: Answers; readonly python: Answers },
): string {
  const isConvention = ({ requirement: id }: Point) => requirement(id).level === 'convention'
  const idsOf = (some: readonly Point[]) => [...new Set(some.map((point) => point.requirement))]
  const differ = points.filter(({ name }) => reference[name] !== python[name])
  return `${[
    '# Open points',
    '',
    `The specification leaves ${idsOf(points).length} points to the service. A run observes ${points.length} answers there, each in a fixed vocabulary, and writes`,
    'them to `openPoints` of `verdicts.json`:',
    '',
    '```json',
    '{ "point": "confirm.window.end", "level": "silent", "answer": "inclusive" }',
    '```',
    '',
    'A `point` is the id of a requirement, and after a slash the situation where it has several. Where an HTTP status is the answer,',
    '`answer` is its number. `mixed` means that the service answers the point in more than one way: `answers` has them, and the',
    'console and the report show an exchange for each. `plumbline diff A B` lists the points that two services, or two versions of',
    'one, answer differently; `--against` does the same in a report and in `comment.md`. No answer fails a run; a convention that',
    'is `not-kept` does with `--strict`.',
    '',
    'The two columns on the right are the answers of the [reference](service.md) and of the [service in Python](python/README.md), which',
    `differ at ${differ.length} of the ${points.length}. Below each point is a sentence that would settle it in the specification.`,
    '',
    '## Conventions',
    '',
    'What would settle these is the statement of the [convention](conventions.md).',
    '',
    '| point | reference | Python |',
    '| --- | --- | --- |',
    ...points
      .filter(isConvention)
      .map(({ name }) => `| \`${name}\` | ${reference[name] ?? ''} | ${python[name] ?? ''} |`),
    ...idsOf(points.filter((point) => !isConvention(point))).flatMap((id) =>
      sectionOf(
        id,
        points.filter((point) => point.requirement === id),
        reference,
        python,
      ),
    ),
  ].join('\n')}\n`
}

function sectionOf(
  id: RequirementId,
  points: readonly Point[],
  reference: Answers,
  python: Answers,
): readonly string[] {
  const { section, clause, level } = requirement(id)
  return [
    '',
    `## ${id} (§${section}, ${level})`,
    '',
    `> ${clause}`,
    '',
    '| point | situation | answers | reference | Python |',
    '| --- | --- | --- | --- | --- |',
    ...points.map(
      ({ name, situation, answers }) =>
        `| \`${name}\` | ${cell(situation)} | ${answers.map(wordOf).join(', ')} | ${reference[name] ?? ''} | ${python[name] ?? ''} |`,
    ),
    '',
    `To settle it: ${settlementOf(id)}`,
  ]
}

const wordOf = (answer: string): string => (answer === STATUS ? 'a status' : `\`${answer}\``)
