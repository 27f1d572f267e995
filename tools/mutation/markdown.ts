import type { FolderRow, Survivor, Weighed } from './weigh.ts'

const COLUMNS = [
  'mutants',
  'killed',
  'survived',
  'uncovered',
  'timedOut',
  'mute',
  'notStarted',
  'ignored',
] as const
const NAMES: Readonly<Record<(typeof COLUMNS)[number], string>> = {
  mutants: 'mutants',
  killed: 'killed',
  survived: 'survived',
  uncovered: 'run by no check',
  timedOut: 'time-out',
  mute: 'mute',
  notStarted: 'no start',
  ignored: 'left out',
}

/** The figures, and every mutant that is alive with its argument. */
export function asMarkdown(weighed: Weighed): string {
  const { rows, argued, open, killed, counted, notStarted, mutants, statics } = weighed
  const percent = (of: number) => ((100 * killed) / of).toFixed(1)
  const same = argued
    .filter(({ argument }) => argument.kind === 'same')
    .reduce((sum, { survivors }) => sum + survivors.length, 0)
  const ignored = rows.reduce((sum, row) => sum + row.ignored, 0)
  const ofKind = (kind: 'same' | 'missed') => argued.filter(({ argument }) => argument.kind === kind)
  const lines = [
    '## The figures',
    '',
    `**${killed} of ${counted} mutants that change behaviour are killed: ${percent(counted)} %.**`,
    '',
    `Of ${mutants} mutants ${ignored} are left out, ${notStarted} are no service that starts, and ${same} are argued to break no promise. With`,
    `those that do not start counted as alive it is ${percent(counted + notStarted)} %; with those argued as well, ${percent(counted + notStarted + same)} %. ${statics} are static.`,
    '',
    ...table(rows),
    '',
    '## Alive, and nothing promised is different',
    '',
    ...ofKind('same').flatMap(({ argument, survivors }) => [argument.why, '', ...list(survivors), '']),
    '## Alive, and missed',
    '',
    ...ofKind('missed').flatMap(({ argument, survivors }) => [argument.why, '', ...list(survivors), '']),
    ...(open.length === 0 ? [] : ['## Alive, and not argued', '', ...list(open), '']),
  ]
  return `${lines.join('\n').trimEnd()}\n`
}

function table(rows: readonly FolderRow[]): readonly string[] {
  const total = (column: (typeof COLUMNS)[number]) => rows.reduce((sum, row) => sum + row[column], 0)
  const cells = [
    ['folder', ...COLUMNS.map((column) => NAMES[column])],
    ...rows.map((row) => [`\`${row.folder}\``, ...COLUMNS.map((column) => `${row[column]}`)]),
    ['**all**', ...COLUMNS.map((column) => `${total(column)}`)],
  ]
  const widths = cells[0]?.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0))) ?? []
  const [head, ...body] = cells.map(
    (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`,
  )
  return [head ?? '', `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...body]
}

function list(survivors: readonly Survivor[]): readonly string[] {
  return survivors.map(({ file, line, entry }) => {
    const how = entry.status === 'Survived' ? putTo(entry) : WORDS[entry.status]
    return `- \`${file}:${line}\` ${code(entry.original)} → ${code(entry.replacement)} (${how})`
  })
}

/** What runs once in a process is run by every check, which nobody counts. */
function putTo({ put, covering, isStatic }: Survivor['entry']): string {
  return isStatic ? `${put} checks; runs once` : `${put} of ${covering} checks`
}

const WORDS: Readonly<Record<string, string>> = {
  NoCoverage: 'run by no check',
  Timeout: 'time-out',
  RuntimeError: 'mute',
}

/** One line of code, as short as a reader can still find it by. */
function code(text: string): string {
  const flat = text.replace(/\s+/g, ' ')
  const short = flat.length > 90 ? `${flat.slice(0, 60)} … ${flat.slice(-25)}` : flat
  const fence = short.includes('`') ? '``' : '`'
  const pad = short.startsWith('`') || short.endsWith('`') ? ' ' : ''
  return `${fence}${pad}${short}${pad}${fence}`
}
