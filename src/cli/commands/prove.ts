import { join } from 'node:path'
import { Command } from 'commander'
import type { Defect } from '../../../conformance/defects/defect.ts'
import { DEFECTS } from '../../../conformance/defects/index.ts'
import { conformanceChecks } from '../../../conformance/index.ts'
import { type Matrix, proveDefects } from '../../../conformance/proof/matrix.ts'
import { type Observed, observersOf } from '../../../conformance/proof/observers.ts'
import type { Suite } from '../../../conformance/proof/prove.ts'
import { createReference, PROOF_SEED } from '../../../conformance/proof/put.ts'
import { proveVariants, type VariantVerdict } from '../../../conformance/proof/variants.ts'
import { VARIANTS } from '../../../conformance/variants/index.ts'
import type { Variant } from '../../../conformance/variants/variant.ts'
import type { Ending } from '../../runner/ending.ts'
import { scenarioChecks } from '../../runner/scenarioCases.ts'
import { didYouMean } from '../../runner/suggest.ts'
import { UsageError } from '../../spec/errors.ts'
import { allRequirements, type Requirement, type RequirementId } from '../../spec/requirements/index.ts'
import type { Output } from '../output.ts'
import { createProgress } from '../progress.ts'
import {
  describeAlone,
  describeDispensable,
  describeGaps,
  describeObjections,
  describeObserved,
  isUnseen,
  matrixTables,
  variantTable,
} from '../proveTables.ts'
import { writeFiles } from '../report/writeReport.ts'

interface ProveOptions {
  readonly only?: string[]
  readonly without?: string[]
  readonly variants?: boolean
  readonly defects?: boolean
  readonly all?: boolean
  readonly full?: boolean
  readonly json?: boolean
  readonly quiet?: boolean
  readonly out: string
}

const PROOF_SCHEMA = 'plumbline-proof/1'

/** `plumbline prove`: broken services, which the suite must tell from good ones, and good ones, which it must let be. */
export function proveCommand(output: Output, finish: (ending: Ending) => void): Command {
  return new Command('prove')
    .description(
      'Prove that every check can fail: put broken services to the suite, and good ones that differ.',
    )
    .option('--only <glob...>', 'only these defects, requirements or variants; * stands for anything')
    .option('--without <glob...>', 'leave these checks out, to see what only they prove')
    .option('--defects', 'broken services only')
    .option('--variants', 'conforming variants only')
    .option('--all', 'put every check to every variant')
    .option('--full', 'put every case of its requirement to a defect, also after two have caught it')
    .option('--out <dir>', 'where the matrix goes', 'reports/latest-prove')
    .option('--json', 'print the matrix as JSON')
    .option('--quiet', 'print nothing but what is unproven or objected to')
    .addHelpText(
      'after',
      '\nExamples:\n  plumbline prove\n  plumbline prove --only "confirm.match.*"\n  plumbline prove --without "build.minimum.*"\n  plumbline prove --variants --all',
    )
    .action(async (options: ProveOptions) => {
      const chosen = choose(options)
      const total = chosen.defects.length + chosen.variants.length
      const progress = createProgress(output, total, options.json ?? options.quiet ?? false)
      const proof = await prove(chosen, options, progress.step).finally(progress.end)
      write(proof, options.out)
      print(proof, options, output)
      finish(verdictOf(proof))
    })
}

interface Chosen {
  readonly defects: readonly Defect[]
  readonly variants: readonly Variant[]
  readonly requirements: readonly Requirement<RequirementId>[]
  readonly cases: Suite
  readonly stories: Suite
  /** Whether everything was chosen, so that what is missing is missing. */
  readonly isWhole: boolean
}

interface Proof {
  /** Null where no broken service was asked for. */
  readonly matrix: Matrix | null
  readonly variants: readonly VariantVerdict[]
  /** What the cases that cannot fail are worth; null where not every variant was put to them. */
  readonly observed: Observed | null
  /** Whether every defect was put, so that a case which catches none alone is one too many. */
  readonly isWhole: boolean
}

/** @throws {UsageError} a glob matches nothing: a typing error must not pass as a proof. */
function choose(options: ProveOptions): Chosen {
  const only = options.only ?? []
  const picks = (...names: readonly string[]) =>
    only.length === 0 || only.some((glob) => names.some((name) => matches(glob, name)))
  const wantsBoth = options.defects === options.variants
  const must = allRequirements().filter(({ level }) => level === 'must')
  const names = [
    ...DEFECTS.flatMap(({ id, breaks }) => [id, breaks]),
    ...VARIANTS.map(({ id }) => id),
    ...must.map(({ id }) => id),
  ]
  for (const glob of only) demandMatch(glob, names, 'defect, requirement or variant')

  const [cases, stories] = [conformanceChecks(), scenarioChecks(PROOF_SEED)]
  const without = options.without ?? []
  for (const glob of without)
    demandMatch(
      glob,
      [...cases, ...stories].map(({ id }) => id),
      'check',
    )
  const left = (checks: Suite) => checks.filter(({ id }) => !without.some((glob) => matches(glob, id)))
  return {
    defects: wantsBoth || options.defects ? DEFECTS.filter(({ id, breaks }) => picks(id, breaks)) : [],
    variants: wantsBoth || options.variants ? VARIANTS.filter(({ id }) => picks(id)) : [],
    requirements: must.filter(({ id }) => picks(id)),
    cases: left(cases),
    stories: left(stories),
    isWhole: only.length === 0,
  }
}

async function prove(chosen: Chosen, options: ProveOptions, step: (what: string) => void): Promise<Proof> {
  const { defects, variants, requirements, cases, stories, isWhole } = chosen
  const reference = createReference()
  const wanted = defects.length > 0 || (requirements.length > 0 && !options.variants)
  const matrix = wanted
    ? await proveDefects({
        defects,
        cases,
        stories,
        requirements: isWhole ? requirements : broken(defects, requirements),
        ...(options.full ? { kills: Number.POSITIVE_INFINITY } : {}),
        reference,
        onTrial: ({ defect }) => step(`defect ${defect.id}`),
      })
    : null
  const verdicts =
    variants.length === 0
      ? []
      : await proveVariants(variants, cases, {
          every: options.all ?? false,
          reference,
          onVerdict: ({ variant }) => step(variant.id),
        })
  const observed = isWhole && verdicts.length > 0 ? observersOf(cases, verdicts) : null
  return { matrix, variants: verdicts, observed, isWhole }
}

/** The requirements that were asked for, and those that the chosen defects break. */
function broken(
  defects: readonly Defect[],
  requirements: readonly Requirement<RequirementId>[],
): readonly Requirement<RequirementId>[] {
  const ids = new Set([...requirements.map(({ id }) => id), ...defects.map(({ breaks }) => breaks)])
  return allRequirements().filter(({ id }) => ids.has(id))
}

function verdictOf({ matrix, variants, observed, isWhole }: Proof): Ending {
  const strict = variants.some(({ objections }) => objections.some(({ status }) => status === 'fail'))
  const lacking = matrix !== null && (matrix.survivors.length > 0 || matrix.unproven.length > 0)
  const idle = isWhole && matrix !== null && matrix.dispensable.length > 0
  const blind = observed !== null && (observed.unobserved.length > 0 || observed.blind.length > 0)
  if (matrix !== null && matrix.unsound.length > 0) return 'inconclusive'
  if (strict || lacking || idle || blind) return 'does-not-conform'
  if (variants.some((verdict) => verdict.objections.length > 0 || isUnseen(verdict))) return 'inconclusive'
  return 'conforms'
}

function print(proof: Proof, options: ProveOptions, output: Output): void {
  const { matrix, variants, observed, isWhole } = proof
  if (options.json) {
    output.out(JSON.stringify(documentOf(proof)))
    return
  }
  const say = options.quiet ? () => {} : output.out
  if (matrix !== null) {
    say(matrixTables(matrix))
    for (const line of describeGaps(matrix)) output.err(line)
    if (options.full) for (const line of describeAlone(matrix)) say(line)
    const trials = matrix.rows.flatMap(({ trials: own }) => own)
    const killed = trials.filter(({ killedBy }) => killedBy !== null).length
    const proven = matrix.rows.filter((row) => row.proven).length
    say(
      `${killed} of ${trials.length} defects killed, ${proven} of ${matrix.rows.length} requirements proven`,
    )
    if (isWhole) {
      for (const line of describeDispensable(matrix)) output.err(line)
      say(
        `${matrix.alone.size} checks catch a defect that no other does, ${matrix.dispensable.length} cases do not`,
      )
    }
  }
  if (variants.length > 0) {
    say(variantTable(variants))
    for (const line of describeObjections(variants)) output.err(line)
    if (observed !== null) for (const line of describeObserved(observed)) output.err(line)
    const conforming = variants.filter(({ objections }) => objections.length === 0).length
    say(`${conforming} of ${variants.length} variants conform`)
  }
  say(`the matrix is in ${join(options.out, 'matrix.json')}`)
}

/** Written aside and then renamed, so that a reader never meets half of it. */
function write(proof: Proof, directory: string): void {
  writeFiles(directory, { 'matrix.json': `${JSON.stringify(documentOf(proof), null, 2)}\n` })
}

/** The proof as a file: names and verdicts, without the services themselves. */
function documentOf({ matrix, variants, observed, isWhole }: Proof): unknown {
  return {
    schema: PROOF_SCHEMA,
    seed: PROOF_SEED,
    requirements:
      matrix?.rows.map(({ requirement, trials, proven }) => ({
        id: requirement.id,
        section: requirement.section,
        proven,
        defects: trials.map(({ defect, killedBy, alsoKilledBy, collateral, unput, tried, unmet }) => ({
          id: defect.id,
          title: defect.title,
          killedBy,
          alsoKilledBy,
          collateral,
          unput,
          tried,
          unmet,
        })),
      })) ?? [],
    unproven: matrix?.unproven ?? [],
    survivors: matrix?.survivors.map(({ defect }) => defect.id) ?? [],
    unsound: matrix?.unsound ?? [],
    alone: Object.fromEntries(matrix?.alone ?? []),
    dispensable: isWhole ? (matrix?.dispensable ?? []) : [],
    unobserved: observed?.unobserved ?? [],
    blind: observed?.blind ?? [],
    variants: variants.map(({ variant, checks, seen, differences, objections }) => ({
      id: variant.id,
      title: variant.title,
      differsIn: variant.differsIn,
      checks,
      seen,
      differences,
      objections,
    })),
  }
}

function demandMatch(glob: string, names: readonly string[], kind: string): void {
  if (names.some((name) => matches(glob, name))) return
  throw new UsageError(
    `no ${kind} matches ${glob}`,
    `${didYouMean(glob, names)}Run \`plumbline prove\` to see their names.`,
  )
}

function matches(glob: string, name: string): boolean {
  const pattern = glob
    .split('*')
    .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*')
  return new RegExp(`^${pattern}$`).test(name)
}
