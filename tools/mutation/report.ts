/**
 * Prints the figures of the journal as docs/mutation.md shows them; `--write` replaces those of the page. Only the
 * journal of a complete run belongs there. Exits 1 when a survivor has no argument, or an argument no survivor.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { readArguments } from './arguments.ts'
import { figuresOf } from './figures.ts'
import { readJournal } from './journal.ts'
import { pageOf } from './page.ts'

const DOC = new URL('../../docs/mutation.md', import.meta.url)
const MARKER = '<!-- Below: written by `npm run mutation:report -- --write`. -->'

const journal = [...readJournal().values()]
if (journal.length === 0) {
  console.error('reports/mutation/journal.jsonl is missing or empty. Run "npm run mutation" first.')
  process.exit(1)
}
const figures = figuresOf(journal, readArguments())
const measured = process.env.MUTATION_MEASURED ?? new Date().toISOString().slice(0, 10)
const page = pageOf(figures, measured)
if (process.argv.includes('--write')) {
  const [prose] = readFileSync(DOC, 'utf8').split(MARKER)
  writeFileSync(DOC, `${prose}${MARKER}\n\n${page}`)
} else console.log(page)
for (const key of figures.stale) console.error(`arguments.json names a mutant that does not survive: ${key}`)
if (figures.stale.length > 0 || figures.unexplained.length > 0) process.exitCode = 1
