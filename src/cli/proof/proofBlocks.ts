import {
  type Block,
  list,
  paragraph,
  strong,
  type Text,
  type Tone,
  table,
} from '../../reporting/document/model.ts'
import { groupBy } from '../../reporting/groupBy.ts'
import { LEAST_KILLS } from '../../runner/proof/properties.ts'
import type { Proof } from '../../runner/proof/prove.ts'

type Trial = Proof['requirements'][number]['defects'][number]
type Row = readonly Text[]

/** Returns the matrix: a table for each section of the specification, one for the properties and one for the variants. */
export function matrixBlocks({ requirements, properties, variants }: Proof): readonly Block[] {
  const head = ['requirement', 'defect', 'killed by']
  return [
    ...[...groupBy(requirements, ({ section }) => section)].flatMap(([section, own]) => [
      paragraph(`§${section}`),
      table(`requirements of §${section}`, head, own.flatMap(rowsOf)),
    ]),
    ...tableUnlessEmpty('properties', ['property', 'kills', 'of'], properties.flatMap(killsOf)),
    ...tableUnlessEmpty(
      'variants',
      ['conforming variant', 'how it differs', 'cases', 'verdict'],
      variants.map(({ id, title, casesRun, seen, objections }) => [
        ...[id, title, String(casesRun)],
        objections.length > 0
          ? word(`${objections.length} objections`, 'bad')
          : seen
            ? word('conforms', 'good')
            : word('unseen', 'open'),
      ]),
    ),
  ]
}

const word = (text: string, tone: Tone): Text => [strong(text, tone)]

function tableUnlessEmpty(name: string, head: readonly string[], rows: readonly Row[]): readonly Block[] {
  return rows.length === 0 ? [] : [table(name, head, rows)]
}

function rowsOf({ id, defects, proven }: Proof['requirements'][number]): readonly Row[] {
  if (defects.length === 0) return [[id, '', word('unproven', 'bad')]]
  return defects.map((defect, index) => [
    index > 0 ? '' : proven ? id : word(id, 'bad'),
    defect.id,
    defect.killedBy === null ? word('SURVIVED', 'bad') : defect.killedBy.case,
  ])
}

function killsOf({ id, expected, kills }: Proof['properties'][number]): readonly Row[] {
  return expected.map((defect, index) => [
    index > 0 ? '' : kills.length < LEAST_KILLS ? word(id, 'bad') : id,
    kills.includes(defect) ? 'killed' : 'survived',
    defect,
  ])
}

/** Returns a paragraph for each problem that makes the proof incomplete. */
export function problemBlocks(proof: Proof): readonly Block[] {
  const bad = (kind: string, text: string) => paragraph(strong(kind, 'bad'), ` ${text}`)
  const open = (kind: string, text: string) => paragraph(strong(kind, 'open'), ` ${text}`)
  const tried = new Set(proof.requirements.flatMap(({ defects }) => defects.map(({ id }) => id)))
  return [
    ...proof.requirements.flatMap(({ id, defects }) =>
      defects
        .filter(({ killedBy }) => killedBy === null)
        .flatMap((trial) => [bad('survived', `${trial.id}: ${trial.title}`), list(whySurvived(id, trial))]),
    ),
    ...proof.survivors
      .filter((id) => !tried.has(id))
      .map((id) => bad('survived', `${id}: no property kills it`)),
    ...proof.misnamed.map((one) =>
      bad('misnamed', `${one.defect} breaks ${one.requirement}, and ${one.case} names ${one.named} first`),
    ),
    ...proof.unproven.map((id) =>
      bad('unproven', `${id}: no case distinguishes a service that violates it from one that does not`),
    ),
    ...proof.unsound.map((one) =>
      open('unsound', `${one.case} does not pass on the reference: ${firstLine(one.message)}`),
    ),
    ...proof.unasked.map((one) =>
      bad('unasked', `${one.requirement}: only ${one.case} sends ${one.request}`),
    ),
    ...proof.dispensable.map((one) =>
      open(
        'dispensable',
        `${one.case}: ${one.coveredBy.join(', ')} test the same, and it is the only killer of no defect`,
      ),
    ),
    ...proof.outdated.map(([id, defect]) =>
      bad(
        'outdated',
        `${id} does not kill ${defect}, as conformance/kills.json says; npm run kills regenerates it`,
      ),
    ),
    ...proof.idle.map((id) => open('idle', `${id}: no defect makes it fail`)),
    ...proof.properties
      .filter(({ kills }) => kills.length < LEAST_KILLS)
      .map(({ id, kills }) =>
        bad('weak', `${id} kills ${kills.length} defects; ${LEAST_KILLS} are required`),
      ),
    ...proof.unobserved.map((id) =>
      bad('unobserved', `${id}: no case records a difference between the reference and a variant`),
    ),
    ...proof.blind.map((id) => open('blind', `${id} records the same for every service`)),
    ...proof.drawn
      .filter(({ killedBy }) => killedBy === null)
      .map(({ id, title, shownIn }) => {
        const where = shownIn === 0 ? 'no case meets it' : `it shows in ${shownIn} cases`
        return bad('survived', `${id} ${title}: ${where}`)
      }),
    ...proof.variants.flatMap(({ id, objections }) =>
      objections.map((one) => {
        const ends = one.status === 'fail' ? 'fails' : 'is inconclusive'
        return bad(id, `${one.case} ${ends}: ${firstLine(one.message)}`)
      }),
    ),
  ]
}

function whySurvived(requirement: string, { casesRun, collateral, inconclusive }: Trial): readonly string[] {
  return [
    `none of the ${casesRun} cases of ${requirement} failed for it`,
    ...collateral.slice(0, 3).map((one) => `${one.case} failed for ${one.requirements.join(', ')} instead`),
    ...inconclusive.slice(0, 3).map((one) => `${one.case} was inconclusive: ${firstLine(one.why)}`),
  ]
}

/** Lists the cases that are the only ones to kill a defect. */
export function aloneBlocks({ alone }: Proof): readonly Block[] {
  return Object.entries(alone).map(([id, defects]) => paragraph(`only ${id} kills ${defects.join(', ')}`))
}

/** Returns a line of totals for each part of the matrix. */
export function totalBlocks(proof: Proof, isWhole: boolean): readonly Block[] {
  const { requirements, properties, variants, dispensable, idle, drawn } = proof
  const trials = requirements.flatMap(({ defects }) => defects)
  const killed = <Each extends { readonly killedBy: unknown }>(all: readonly Each[]) =>
    `${all.filter(({ killedBy }) => killedBy !== null).length} of ${all.length}`
  const proven = requirements.filter((row) => row.proven).length
  const strong = properties.filter(({ kills }) => kills.length >= LEAST_KILLS).length
  const conforming = variants.filter(({ objections }) => objections.length === 0).length
  const totals: readonly (readonly [isThere: boolean, text: string])[] = [
    [
      requirements.length > 0,
      `${killed(trials)} defects killed, ${proven} of ${requirements.length} requirements proven`,
    ],
    [isWhole, `${dispensable.length} cases are dispensable, ${idle.length} idle`],
    [
      properties.length > 0,
      `${strong} of ${properties.length} properties kill ${LEAST_KILLS} defects or more`,
    ],
    [variants.length > 0, `${conforming} of ${variants.length} variants conform`],
    [drawn.length > 0, `${killed(drawn)} drawn defects killed`],
  ]
  return totals.flatMap(([isThere, text]) => (isThere ? [paragraph(text)] : []))
}

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? ''
