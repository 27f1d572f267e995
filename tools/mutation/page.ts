import { abridged } from './arguments.ts'
import type { Figures, Row } from './figures.ts'
import type { Entry } from './journal.ts'

/** The measured part of docs/mutation.md. */
export function pageOf({ rows, total, missed, unexplained }: Figures, measured: string): string {
  const started = total.mutants - total.notStarted
  const lines = [
    '## Figures',
    '',
    `Measured on ${measured}.`,
    '',
    ...table([
      ['counted mutants', 'mutants', 'killed', 'score'],
      ['all', total.mutants, total.killed, percent(total.killed, total.mutants)],
      [
        `without the ${total.notStarted} that keep the service from starting`,
        started,
        total.killed,
        percent(total.killed, started),
      ],
      [
        `also without the ${total.equivalent} argued to be equivalent`,
        started - total.equivalent,
        total.killed,
        percent(total.killed, started - total.equivalent),
      ],
    ]),
    '',
    ...table([
      ['folder', 'mutants', 'killed', 'no start', 'equivalent', 'survive', 'score of all', 'score without'],
      ...[...rows, total].map((row) => [`\`${row.folder}\``, ...cellsOf(row)]),
    ]),
    '',
    `## The ${total.survived} surviving mutants`,
    '',
    ...missed.flatMap(({ why, survivors }) => [`- ${why}`, ...list(survivors)]),
    ...(unexplained.length === 0 ? [] : ['- Not explained yet:', ...list(unexplained)]),
  ]
  return `${lines.join('\n').trimEnd()}\n`
}

function cellsOf({ mutants, killed, notStarted, equivalent, survived }: Row): readonly (string | number)[] {
  const counted = mutants - notStarted - equivalent
  const scores = [percent(killed, mutants), percent(killed, counted)]
  return [mutants, killed, notStarted, equivalent, survived, ...scores]
}

function percent(part: number, of: number): string {
  return of === 0 ? '' : `${((100 * part) / of).toFixed(1)} %`
}

function table(cells: readonly (readonly (string | number)[])[]): readonly string[] {
  const [head = [], ...body] = cells
  const line = (row: readonly (string | number)[]) => `| ${row.join(' | ')} |`
  return [line(head), `|${' --- |'.repeat(head.length)}`, ...body.map(line)]
}

const STATUS: Readonly<Record<string, string>> = {
  NoCoverage: 'no case reaches it',
  Timeout: 'times out',
  RuntimeError: 'inconclusive',
}

/** One line for each declaration and status. */
function list(survivors: readonly Entry[]): readonly string[] {
  const lines = new Map<string, string[]>()
  for (const { file, within, status, original, replacement } of survivors) {
    const place = `  - \`${file.replace('src/service/', '')}\` \`${within}\``
    const known = STATUS[status]
    const key = known ? `${place}, ${known}` : place
    lines.set(key, [...(lines.get(key) ?? []), `${code(original)} → ${code(replacement)}`])
  }
  return [...lines].map(([place, changes]) => `${place}: ${changes.join('; ')}`)
}

function code(text: string): string {
  const short = abridged(text)
  const fence = short.includes('`') ? '``' : '`'
  const pad = short.startsWith('`') || short.endsWith('`') ? ' ' : ''
  return `${fence}${pad}${short}${pad}${fence}`
}
