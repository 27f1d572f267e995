import { table } from '../../reporting/document/textTable.ts'
import { LEAST_KILLS } from '../../runner/proof/properties.ts'
import type { Proof } from '../../runner/proof/prove.ts'
import { colours } from '../terminal/colours.ts'

type Row = Proof['requirements'][number]
type Trial = Row['defects'][number]

/** Returns the matrix: a table for each section of the specification, one of the properties, one of the variants. */
export function proofTables({ requirements, properties, variants }: Proof): readonly string[] {
  const sections = [...new Set(requirements.map(({ section }) => section))]
  return [
    ...sections.map((section) => {
      const rows = requirements.filter((row) => row.section === section).flatMap(rowsOf)
      return `§${section}\n${table(['requirement', 'defect', 'killed by'], rows)}`
    }),
    ...(properties.length === 0 ? [] : [table(['property', 'kills', 'of'], properties.flatMap(killsOf))]),
    ...(variants.length === 0
      ? []
      : [table(['conforming variant', 'how it differs', 'cases', 'verdict'], variants.map(verdictOf))]),
  ]
}

function rowsOf({ id, defects, proven }: Row): readonly (readonly string[])[] {
  if (defects.length === 0) return [[id, '', colours.red('unproven')]]
  return defects.map((defect, index) => [
    index === 0 ? (proven ? id : colours.red(id)) : '',
    defect.id,
    defect.killedBy === null ? colours.red('SURVIVED') : defect.killedBy.case,
  ])
}

function killsOf({ id, expected, kills }: Proof['properties'][number]): readonly (readonly string[])[] {
  return expected.map((defect, index) => [
    index === 0 ? (kills.length < LEAST_KILLS ? colours.red(id) : id) : '',
    kills.includes(defect) ? 'killed' : 'survived',
    defect,
  ])
}

function verdictOf({ id, title, casesRun, seen, objections }: Proof['variants'][number]) {
  const conforms = seen ? colours.green('conforms') : colours.yellow('unseen')
  return [
    id,
    title,
    casesRun,
    objections.length === 0 ? conforms : colours.red(`${objections.length} objections`),
  ]
}

/** Everything that keeps the proof from being whole, one line or a few for each. */
export function describeProblems(proof: Proof): readonly string[] {
  const survivors = proof.requirements.flatMap(({ id, defects }) =>
    defects.filter(({ killedBy }) => killedBy === null).flatMap((trial) => describeSurvivor(id, trial)),
  )
  const { red, yellow } = colours
  const tried = new Set(proof.requirements.flatMap(({ defects }) => defects.map(({ id }) => id)))
  return [
    ...survivors,
    ...proof.survivors
      .filter((id) => !tried.has(id))
      .map((id) => `${red('survived')} ${id}: no property kills it`),
    ...proof.misnamed.map(
      (one) =>
        `${red('misnamed')} ${one.defect} breaks ${one.requirement}, and ${one.case} names ${one.named} first`,
    ),
    ...proof.unproven.map(
      (id) =>
        `${red('unproven')} ${id}: no case distinguishes a service that violates it from one that does not`,
    ),
    ...proof.unsound.map(
      (one) => `${yellow('unsound')} ${one.case} does not pass on the reference: ${firstLine(one.message)}`,
    ),
    ...proof.unasked.map(
      (one) => `${red('unasked')} ${one.requirement}: only ${one.case} sends ${one.request}`,
    ),
    ...proof.dispensable.map(
      (one) =>
        `${yellow('dispensable')} ${one.case}: ${one.coveredBy.join(', ')} test the same, and it is the only killer of no defect`,
    ),
    ...proof.idle.map((id) => `${yellow('idle')} ${id}: no defect makes it fail`),
    ...proof.properties
      .filter(({ kills }) => kills.length < LEAST_KILLS)
      .map(
        ({ id, kills }) => `${red('weak')} ${id} kills ${kills.length} defects; ${LEAST_KILLS} are required`,
      ),
    ...proof.unobserved.map(
      (id) => `${red('unobserved')} ${id}: no case records a difference between the reference and a variant`,
    ),
    ...proof.blind.map((id) => `${yellow('blind')} ${id} records the same for every service`),
    ...proof.drawn
      .filter(({ killedBy }) => killedBy === null)
      .map(
        ({ id, title, shownIn }) =>
          `${red('survived')} ${id} ${title}: ${shownIn === 0 ? 'no case meets it' : `it shows in ${shownIn} cases`}`,
      ),
    ...proof.variants.flatMap(({ id, objections }) =>
      objections.map(
        (one) =>
          `${red(id)} ${one.case} ${one.status === 'fail' ? 'fails' : 'is inconclusive'}: ${firstLine(one.message)}`,
      ),
    ),
  ]
}

function describeSurvivor(requirement: string, trial: Trial): readonly string[] {
  const { id, title, casesRun, collateral, inconclusive } = trial
  return [
    `${colours.red('survived')} ${id}: ${title}`,
    `  none of the ${casesRun} cases of ${requirement} failed for it`,
    ...collateral.slice(0, 3).map((one) => `  ${one.case} failed for ${one.requirements.join(', ')} instead`),
    ...inconclusive.slice(0, 3).map((one) => `  ${one.case} was inconclusive: ${firstLine(one.why)}`),
  ]
}

/** Returns which cases are the only ones to kill a defect. */
export function describeAlone({ alone }: Proof): readonly string[] {
  return Object.entries(alone).map(([id, defects]) => `only ${id} kills ${defects.join(', ')}`)
}

/** Returns one line for each part of the matrix that was made. */
export function describeTotals(proof: Proof, isWhole: boolean): readonly string[] {
  const { requirements, properties, variants, alone, dispensable, idle, drawn } = proof
  const trials = requirements.flatMap(({ defects }) => defects)
  const killed = trials.filter(({ killedBy }) => killedBy !== null).length
  const proven = requirements.filter((row) => row.proven).length
  const strong = properties.filter(({ kills }) => kills.length >= LEAST_KILLS).length
  const conforming = variants.filter(({ objections }) => objections.length === 0).length
  return [
    ...(requirements.length === 0
      ? []
      : [
          `${killed} of ${trials.length} defects killed, ${proven} of ${requirements.length} requirements proven`,
        ]),
    ...(isWhole
      ? [
          `${Object.keys(alone).length} cases are the only ones to kill some defect; ${dispensable.length} are dispensable, ${idle.length} idle`,
        ]
      : []),
    ...(properties.length === 0
      ? []
      : [`${strong} of ${properties.length} properties kill ${LEAST_KILLS} defects or more`]),
    ...(variants.length === 0 ? [] : [`${conforming} of ${variants.length} variants conform`]),
    ...(drawn.length === 0
      ? []
      : [
          `${drawn.filter(({ killedBy }) => killedBy !== null).length} of ${drawn.length} drawn defects killed`,
        ]),
  ]
}

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? ''
