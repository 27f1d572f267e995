/** Writes what the journal of the mutation runs says into docs/mutation.md, below its marker. */
import { readFileSync, writeFileSync } from 'node:fs'
import { ARGUMENTS } from './arguments/index.ts'
import { readJournal } from './journal.ts'
import { asMarkdown } from './markdown.ts'
import { lineOf } from './source.ts'
import { weigh } from './weigh.ts'

const DOC = new URL('../../docs/mutation.md', import.meta.url)
const MARKER = '<!-- Below: written by `npm run mutation:report`. -->'

const weighed = weigh([...readJournal().values()], ARGUMENTS, lineOf)
for (const { file, line } of weighed.idle) console.error(`an argument for nothing alive: ${file}, ${line}`)
const [prose] = readFileSync(DOC, 'utf8').split(MARKER)
writeFileSync(DOC, `${prose}${MARKER}\n\n${asMarkdown(weighed)}`)
console.log(`${weighed.killed} of ${weighed.counted} killed; ${weighed.open.length} without an argument`)
if (weighed.idle.length > 0 || weighed.open.length > 0) process.exitCode = 1
