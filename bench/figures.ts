import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { Curve } from '../src/reporting/report/curves.ts'
import { RATIOS_SCHEMA, type Ratio, type Ratios, ratiosSchema } from '../src/reporting/report/ratios.ts'
import { readJsonText } from '../src/spec/json.ts'

const FILE = new URL('../reports/bench/ratios.json', import.meta.url)

/**
 * Writes what one mode of the bench measured, for `plumbline report --bench`. What the other modes measured stays: only
 * figures of the same name are replaced.
 */
export function keepFigures(
  measured: {
    readonly ratios?: readonly Ratio[]
    readonly curves?: readonly Curve[]
    /** Given where peers were measured: it takes the place of all that was known of peers. */
    readonly notRun?: Ratios['notRun']
  },
  file: URL = FILE,
): void {
  const before = figuresIn(file)
  const known =
    measured.notRun === undefined ? before.ratios : before.ratios.filter(({ peer }) => peer === undefined)
  const figures: Ratios = {
    schema: RATIOS_SCHEMA,
    ratios: replaced(known, measured.ratios ?? []),
    curves: replaced(before.curves, measured.curves ?? []),
    notRun: measured.notRun ?? before.notRun,
  }
  mkdirSync(new URL('.', file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(figures, null, 2)}\n`)
}

/** What a file holds; nothing where there is none, or where another version wrote it. */
function figuresIn(file: URL): Omit<Ratios, 'schema'> {
  const read = readJsonText(textOf(file))
  const parsed = ratiosSchema.safeParse('json' in read ? read.json : null)
  return parsed.success ? parsed.data : { ratios: [], curves: [], notRun: [] }
}

function textOf(file: URL): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

function replaced<Figure extends { readonly name: string }>(
  before: readonly Figure[],
  measured: readonly Figure[],
): Figure[] {
  const names = new Set(measured.map(({ name }) => name))
  return [...before.filter(({ name }) => !names.has(name)), ...measured]
}
