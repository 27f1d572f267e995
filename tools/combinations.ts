/**
 * Writes the combinations that `conform` runs into conformance/combinations/rows.json: a covering array of all pairs of classes
 * of different factors, and of all triples for some factors. `--check` fails if the file differs.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import {
  FACTORS,
  type Factor,
  groupsOf,
  IN_THREES,
  meetingsOf,
  NAMES,
  type Row,
  RULES,
} from '../conformance/combinations/model.ts'

const FILE = new URL('../conformance/combinations/rows.json', import.meta.url)

type Partly = { readonly [Name in Factor]?: Row[Name] }

const classesOf = (name: Factor): readonly Row[Factor][] => FACTORS[name]
const has = (row: Partly, name: Factor): boolean => row[name] !== undefined

/** Returns true if a row keeps every rule about the factors that it has. */
function isAllowed(row: Partly): boolean {
  return RULES.every(({ of, isKept }) => !of.every((name) => has(row, name)) || isKept(row as Row))
}

/** Returns true if a partial row can be completed. */
function canBeCompleted(row: Partly): boolean {
  if (!isAllowed(row)) return false
  const next = NAMES.find((name) => !has(row, name) && RULES.some(({ of }) => of.includes(name)))
  return next === undefined || classesOf(next).some((value) => canBeCompleted({ ...row, [next]: value }))
}

/** Returns the combinations in a partial row. */
function meetings(row: Partly): readonly string[] {
  const { pairs, triples } = meetingsOf(row)
  return [...triples, ...pairs]
}

/** Returns every choice of a class for each of these factors. */
function choicesOf([first, ...rest]: readonly Factor[]): readonly Partly[] {
  if (first === undefined) return [{}]
  return choicesOf(rest).flatMap((row) => classesOf(first).map((value) => ({ [first]: value, ...row })))
}

/** Factors whose other classes cost a target time or budget: among equally good classes, the plain one is chosen. */
const COSTLY: readonly Factor[] = ['around', 'quoted', 'reported']

/**
 * Completes a row, choosing for each factor the class that covers most of the missing combinations.
 *
 * @param turn selects among equally good classes.
 */
function fill(start: Partly, missing: ReadonlyMap<string, Partly>, turn: number): Row {
  let row = start
  for (const name of NAMES) {
    if (has(row, name)) continue
    const gain = (candidate: Partly) => meetings(candidate).filter((meeting) => missing.has(meeting)).length
    const candidates = classesOf(name)
      .map((value): Partly => ({ ...row, [name]: value }))
      .filter(canBeCompleted)
    const first = COSTLY.includes(name) ? 0 : turn % candidates.length
    const inTurn = [...candidates.slice(first), ...candidates.slice(0, first)]
    row = inTurn.reduce((best, one) => (gain(one) > gain(best) ? one : best))
  }
  return Object.fromEntries(NAMES.map((name) => [name, row[name]])) as Row
}

/** Returns rows that cover every possible combination; those that are hardest to place come first. */
function coveringArray(): readonly Row[] {
  const wanted = [...groupsOf(IN_THREES, 3), ...groupsOf(NAMES, 2)].flatMap(choicesOf).filter(canBeCompleted)
  const missing = new Map(
    wanted.reverse().flatMap((row) =>
      meetings(row)
        .slice(0, 1)
        .map((meeting) => [meeting, row]),
    ),
  )
  const rows: Row[] = []
  for (let next = missing.values().next(); !next.done; next = missing.values().next()) {
    const row = fill(next.value, missing, rows.length)
    rows.push(row)
    for (const meeting of meetings(row)) missing.delete(meeting)
  }
  return rows
}

const text = `[\n${coveringArray()
  .map((row) => JSON.stringify(Object.values(row)))
  .join(',\n')}\n]\n`
if (!process.argv.includes('--check')) writeFileSync(FILE, text)
else if (readFileSync(FILE, 'utf8') !== text)
  throw new Error('conformance/combinations/rows.json is stale; regenerate it with "npm run combinations"')
