import { join } from 'node:path'
import { Command } from 'commander'
import type { Defect } from '../../../conformance/defects/defect.ts'
import { DEFECTS } from '../../../conformance/defects/index.ts'
import { conformanceChecks } from '../../../conformance/index.ts'
import { type Matrix, proveDefects, worthOf } from '../../../conformance/proof/matrix.ts'
import { PROOF_SEED, type Suite } from '../../../conformance/proof/prove.ts'
import { proveVariants, type VariantVerdict } from '../../../conformance/proof/variants.ts'
import { VARIANTS } from '../../../conformance/variants/index.ts'
import type { Variant } from '../../../conformance/variants/variant.ts'
import { properties } from '../../../property/index.ts'
import { scenarioChecks } from '../../../scenarios/index.ts'
import { allRequirements, type Requirement, type RequirementId } from '../../spec/requirements/index.ts'
import { EXIT, type ExitCode, UsageError } from '../exit.ts'
import type { Output } from '../output.ts'
import { createProgress } from '../progress.ts'
import {
  describeGaps,
  describeObjections,
  describeWorth,
  isUnseen,
  matrixTables,
  variantTable,
} from '../proveTables.ts'
import { writeFiles } from '../report/writeReport.ts'
import { didYouMean } from '../suggest.ts'

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
export function proveCommand(output: Output, finish: (code: ExitCode) => void): Command {
  return new Command('prove')
    .description(
      'Prove that every check can fail: put broken services to the suite, and good ones that differ.',
    )
    .option('--only <glob...>', 'only these defects, requirements or variants; * stands for anything')
    .option('--without <glob...>', 'leave these checks out, to see what is proven by them alone')
    .option('--defects', 'broken services only')
    .option('--variants', 'conforming variants only')
    .option('--all', 'put every check to every variant')
    .option('--full', 'put every case of its requirement to a defect, also after the first has caught it')
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
  /** Cases, stories, properties. */
  readonly suites: readonly Suite[]
}

interface Proof {
  /** Null where no broken service was asked for. */
  readonly matrix: Matrix | null
  readonly variants: readonly VariantVerdict[]
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

  const suites = [conformanceChecks(), scenarioChecks(PROOF_SEED), properties(PROOF_SEED)]
  const without = options.without ?? []
  for (const glob of without)
    demandMatch(
      glob,
      suites.flat().map(({ id }) => id),
      'check',
    )
  return {
    defects: wantsBoth || options.defects ? DEFECTS.filter(({ id, breaks }) => picks(id, breaks)) : [],
    variants: wantsBoth || options.variants ? VARIANTS.filter(({ id }) => picks(id)) : [],
    requirements: must.filter(({ id }) => picks(id)),
    suites: suites.map((checks) => checks.filter(({ id }) => !without.some((glob) => matches(glob, id)))),
  }
}

async function prove(chosen: Chosen, options: ProveOptions, step: (what: string) => void): Promise<Proof> {
  const { defects, variants, requirements, suites } = chosen
  const wanted = defects.length > 0 || (requirements.length > 0 && !options.variants)
  const matrix = wanted
    ? await proveDefects({
        defects,
        suites,
        requirements: options.only === undefined ? requirements : broken(defects, requirements),
        alsoPut: options.full ? (suites[0] ?? []) : [],
        onTrial: ({ defect }) => step(`defect ${defect.id}`),
      })
    : null
  const [cases = []] = suites
  const verdicts =
    variants.length === 0
      ? []
      : await proveVariants(variants, cases, options.all ?? false, ({ variant }) => step(variant.id))
  return { matrix, variants: verdicts }
}

/** The requirements that were asked for, and those that the chosen defects break. */
function broken(
  defects: readonly Defect[],
  requirements: readonly Requirement<RequirementId>[],
): readonly Requirement<RequirementId>[] {
  const ids = new Set([...requirements.map(({ id }) => id), ...defects.map(({ breaks }) => breaks)])
  return allRequirements().filter(({ id }) => ids.has(id))
}

function verdictOf({ matrix, variants }: Proof): ExitCode {
  const strict = variants.some(({ objections }) => objections.some(({ status }) => status === 'fail'))
  const lacking = matrix !== null && (matrix.survivors.length > 0 || matrix.unproven.length > 0)
  if (matrix !== null && matrix.unsound.length > 0) return EXIT.inconclusive
  if (strict || lacking) return EXIT.doesNotConform
  if (variants.some((verdict) => verdict.objections.length > 0 || isUnseen(verdict))) return EXIT.inconclusive
  return EXIT.conforms
}

function print({ matrix, variants }: Proof, options: ProveOptions, output: Output): void {
  if (options.json) {
    output.out(JSON.stringify(documentOf({ matrix, variants })))
    return
  }
  const say = options.quiet ? () => {} : output.out
  if (matrix !== null) {
    say(matrixTables(matrix))
    for (const line of describeGaps(matrix)) output.err(line)
    if (options.full) for (const line of describeWorth(worthOf(matrix, conformanceChecks()))) say(line)
    const trials = matrix.rows.flatMap(({ trials: own }) => own)
    const killed = trials.filter(({ killedBy }) => killedBy !== null).length
    const proven = matrix.rows.filter((row) => row.proven).length
    say(
      `${killed} of ${trials.length} defects killed, ${proven} of ${matrix.rows.length} requirements proven`,
    )
  }
  if (variants.length > 0) {
    say(variantTable(variants))
    for (const line of describeObjections(variants)) output.err(line)
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
function documentOf({ matrix, variants }: Proof): unknown {
  return {
    schema: PROOF_SCHEMA,
    seed: PROOF_SEED,
    requirements:
      matrix?.rows.map(({ requirement, trials, proven }) => ({
        id: requirement.id,
        section: requirement.section,
        proven,
        defects: trials.map(({ defect, killedBy, alsoKilledBy, collateral, unput, tried }) => ({
          id: defect.id,
          title: defect.title,
          killedBy,
          alsoKilledBy,
          collateral,
          unput,
          tried,
        })),
      })) ?? [],
    unproven: matrix?.unproven ?? [],
    survivors: matrix?.survivors.map(({ defect }) => defect.id) ?? [],
    unsound: matrix?.unsound ?? [],
    variants: variants.map(({ variant, checks, seen, objections }) => ({
      id: variant.id,
      title: variant.title,
      differsIn: variant.differsIn,
      checks,
      seen,
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
