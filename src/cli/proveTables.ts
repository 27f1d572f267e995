import Table from 'cli-table3'
import type { Matrix, MatrixRow } from '../../conformance/proof/matrix.ts'
import type { Observed } from '../../conformance/proof/observers.ts'
import type { Trial } from '../../conformance/proof/prove.ts'
import type { VariantVerdict } from '../../conformance/proof/variants.ts'
import { colours } from './colours.ts'

const COMPACT = { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' } as const
const table = (head: readonly string[]) =>
  new Table({ head: [...head], style: { head: [], border: [] }, chars: COMPACT })

/** The kill matrix: a table for each section of the specification. */
export function matrixTables({ rows }: Matrix): string {
  const sections = [...new Set(rows.map(({ requirement }) => requirement.section))]
  return sections
    .map((section) => {
      const printed = table(['requirement', 'defect', 'killed by'])
      for (const row of rows.filter(({ requirement }) => requirement.section === section))
        for (const cells of rowsOf(row)) printed.push([...cells])
      return `§${section}\n${printed}`
    })
    .join('\n')
}

function rowsOf({ requirement, trials, proven }: MatrixRow): readonly (readonly string[])[] {
  if (trials.length === 0) return [[requirement.id, '', colours.red('unproven')]]
  return trials.map(({ defect, killedBy }, index) => [
    index === 0 ? (proven ? requirement.id : colours.red(requirement.id)) : '',
    defect.id,
    killedBy === null ? colours.red('SURVIVED') : killedBy.check,
  ])
}

/** What the proof lacks: survivors with what was seen of them, requirements unproven, checks that tell nothing apart. */
export function describeGaps({ survivors, unproven, unsound }: Matrix): readonly string[] {
  return [
    ...survivors.flatMap(describeSurvivor),
    ...unproven.map(
      (id) =>
        `${colours.red('unproven')} ${id}: no check has told a service that breaks it from one that does not`,
    ),
    ...unsound.map(
      ({ check, message }) =>
        `${colours.yellow('unsound')} ${check} fails on the reference too: ${firstLine(message)}`,
    ),
  ]
}

function describeSurvivor({ defect, tried, unmet, collateral, unput }: Trial): readonly string[] {
  return [
    `${colours.red('survived')} ${defect.id}: ${defect.title}`,
    `  unproven there: ${defect.breaks}; none of its ${tried + unmet} checks found it broken${unmet === 0 ? '' : `, and ${unmet} of them never meet the mistake`}`,
    ...collateral
      .slice(0, 3)
      .map(({ check, requirements }) => `  ${check} failed for ${requirements.join(', ')} instead`),
    ...unput.slice(0, 3).map(({ check, why }) => `  ${check} could not be put: ${firstLine(why)}`),
  ]
}

/** Which checks stand alone, and with what. */
export function describeAlone({ alone }: Matrix): readonly string[] {
  return [...alone].map(([check, defects]) => `${check} alone catches ${defects.join(', ')}`)
}

/** Cases without which nothing would be missed. */
export function describeDispensable({ dispensable }: Matrix): readonly string[] {
  return dispensable.map(
    (check) =>
      `${colours.yellow('dispensable')} ${check}: every defect that it catches is caught without it; break what it stands for, or leave it out`,
  )
}

/** What is written down and follows nothing. */
export function describeObserved({ unobserved, blind }: Observed): readonly string[] {
  return [
    ...unobserved.map(
      (id) =>
        `${colours.red('unobserved')} ${id}: no check writes down of a variant what it does otherwise there`,
    ),
    ...blind.map((check) => `${colours.yellow('blind')} ${check} writes down the same of every service`),
  ]
}

/** The variants, and what the suite holds against them. */
export function variantTable(verdicts: readonly VariantVerdict[]): string {
  const printed = table(['conforming variant', 'does otherwise', 'checks', 'verdict'])
  for (const { variant, checks, seen, objections } of verdicts) {
    const conforms = isUnseen({ variant, seen }) ? colours.yellow('unseen') : colours.green('conforms')
    const verdict = objections.length === 0 ? conforms : colours.red(`${objections.length} objections`)
    printed.push([variant.id, variant.title, checks, verdict])
  }
  return printed.toString()
}

/** Whether no check that was put can tell the variant from the reference, though one should. */
export function isUnseen({ variant, seen }: Pick<VariantVerdict, 'variant' | 'seen'>): boolean {
  return !seen && variant.unseenBecause === undefined
}

export function describeObjections(verdicts: readonly VariantVerdict[]): readonly string[] {
  return verdicts.flatMap(({ variant, objections }) =>
    objections.map(
      ({ check, status, message }) =>
        `${colours.red(variant.id)} ${check} ${status === 'fail' ? 'fails' : 'cannot be put'}: ${firstLine(message)}`,
    ),
  )
}

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? ''
