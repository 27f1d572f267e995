import { join } from 'node:path'
import { Command } from 'commander'
import type { Proof } from '../../reporting/proof.ts'
import { select } from '../../runner/plan.ts'
import { crossMistakes } from '../../runner/proof/mistakes.ts'
import { spread } from '../../runner/proof/orders.ts'
import { type ProofRequest, prove } from '../../runner/proof/prove.ts'
import { PROOF_SEED } from '../../runner/proof/runCase.ts'
import { resultsOfProof } from '../../runner/proof/verdict.ts'
import { runSuites } from '../../runner/run.ts'
import { scenarioCases } from '../../runner/scenarioCases.ts'
import type { Ending } from '../../runner/verdict.ts'
import { allRequirements, isJudged } from '../../spec/requirements/index.ts'
import type { Output } from '../output.ts'
import { runProgress } from '../progress.ts'
import { describeAlone, describeProblems, describeTotals, proofTables } from '../proveTables.ts'
import { writeFiles } from '../report/writeReport.ts'
import {
  conformanceCases,
  DEFECTS,
  drawnDefects,
  EMPTY_CELLS,
  provableProperties,
  VARIANTS,
} from '../suites.ts'
import { wholeNumber } from '../wholeNumber.ts'

interface ProveOptions {
  readonly only?: string[]
  readonly without?: string[]
  readonly cases?: boolean
  readonly scenarios?: boolean
  readonly properties?: boolean
  readonly variants?: boolean
  readonly defects?: boolean
  readonly all?: boolean
  readonly full?: boolean
  readonly shuffle?: readonly number[]
  readonly drawn?: number
  readonly seed: number
  readonly json?: boolean
  readonly quiet?: boolean
  readonly out: string
}

/** How many defects are run in shuffled orders when none are named. */
const SHUFFLED_DEFECTS = 40

/** `plumbline prove`: runs the suites against known-broken and known-good services. */
export function proveCommand(output: Output, finish: (ending: Ending) => void): Command {
  return new Command('prove')
    .description(
      'Prove that every case can fail: run the suites against known-broken and known-good services.',
    )
    .option(
      '--only <glob...>',
      'only these defects, requirements, properties or variants; * matches anything',
    )
    .option('--without <glob...>', 'leave these cases out, to see what only they prove')
    .option('--cases', 'the cases against the defects')
    .option('--scenarios', 'the scenarios against the defects that no case can kill')
    .option('--properties', 'the properties against the defects that each must kill')
    .option('--variants', 'the cases against the conforming variants')
    .option('--defects', 'short for --cases --scenarios')
    .option('--all', 'run every case against every variant')
    .option('--full', 'run every case of its requirement against a defect, also after two have killed it')
    .option(
      '--shuffle <seed...>',
      `run ${SHUFFLED_DEFECTS} defects, or those of --only, against the cases in shuffled orders: the same cases must kill`,
      seeds,
    )
    .option(
      '--drawn <count>',
      'run this many broken services that a generator draws; --only drawn.* chooses among them',
      wholeNumber,
    )
    .option('--seed <n>', 'decides what --drawn draws', wholeNumber, 1)
    .option('--out <dir>', 'where the matrix goes', 'reports/latest-prove')
    .option('--json', 'print the matrix as JSON')
    .option('--quiet', 'print nothing but what is not proven')
    .addHelpText(
      'after',
      '\nWithout a choice of --cases, --scenarios, --properties and --variants, all four are run.\n\nExamples:\n  plumbline prove\n  plumbline prove --only "confirm.match.*"\n  plumbline prove --without "build.minimum.*"\n  plumbline prove --properties\n  plumbline prove --variants --all',
    )
    .action(async (options: ProveOptions) => {
      const { request, total } = requestOf(options)
      const progress = runProgress(output, options.json ?? options.quiet ?? false)
      const { result } = await runSuites({
        command: 'prove',
        suites: [],
        target: 'reference',
        options: {},
        seed: PROOF_SEED,
        progress,
        replay: ({ id }) => `npx plumbline prove --only ${id}`,
        execute: async () => {
          progress.start(total)
          const proof = await prove({ ...request, onStep: progress.step })
          progress.end()
          // Written whole or not at all, so that a reader never gets half of it.
          writeFiles(options.out, { 'matrix.json': `${JSON.stringify(proof, null, 2)}\n` })
          print(proof, request.isWhole, options, output)
          return resultsOfProof(proof)
        },
      })
      finish(result.verdict)
    })
}

interface Chosen {
  readonly request: Omit<ProofRequest, 'onStep'>
  /** How many steps it has. */
  readonly total: number
}

/** @throws {UsageError} a pattern matches nothing: a typing error must not pass as a proof. */
function requestOf(options: ProveOptions): Chosen {
  const { only = [], without = [], defects: both = false } = options
  const { cases = both, scenarios = both, properties = false, variants = false, shuffle = [] } = options
  const drawn = options.drawn === undefined ? [] : drawnDefects(options.drawn, options.seed)
  const isOther = shuffle.length > 0 || drawn.length > 0
  const everything = !(cases || scenarios || properties || variants || isOther)
  const isShown = {
    cases: everything || cases,
    scenarios: everything || scenarios,
    properties: everything || properties,
  }
  const judged = allRequirements().filter(({ level }) => isJudged(level))
  const expected = Object.entries(provableProperties.expectedKills)
  const chosen = new Set(
    select(
      [
        ...DEFECTS.map(({ id, breaks }) => ({ id, requirements: [breaks] })),
        ...judged.map(({ id }) => ({ id, requirements: [id] })),
        ...VARIANTS.map(({ id }) => ({ id })),
        ...expected.map(([id]) => ({ id })),
        ...drawn.map(({ id }) => ({ id })),
      ],
      only,
      { kind: 'defect, requirement, property or variant' },
    ).map(({ id }) => id),
  )
  const isChosen = ({ id }: { readonly id: string }) => chosen.has(id)
  const [allCases, allScenarios] = [conformanceCases(), scenarioCases()]
  const leftOut = new Set(without.length === 0 ? [] : select([...allCases, ...allScenarios], without))
  const onlyProperties = new Set(
    DEFECTS.filter(({ shownBy }) => shownBy === 'properties').map(({ id }) => id),
  )
  const isWanted = ([id, kills]: (typeof expected)[number]) =>
    chosen.has(id) || kills.some((kill) => chosen.has(kill) && onlyProperties.has(kill))
  const expectedKills = Object.fromEntries(isShown.properties ? expected.filter(isWanted) : [])
  const request = {
    defects: DEFECTS.filter((defect) => isShown[defect.shownBy ?? 'cases'] && isChosen(defect)),
    requirements: isShown.cases ? judged.filter(isChosen) : [],
    cases: allCases.filter((one) => !leftOut.has(one)),
    leftOut: allCases.filter((one) => leftOut.has(one)),
    scenarios: allScenarios.filter((one) => !leftOut.has(one)),
    variants: { chosen: everything || variants ? VARIANTS.filter(isChosen) : [], all: VARIANTS },
    properties: { of: { ...provableProperties, expectedKills }, defects: DEFECTS },
    isWhole: only.length === 0 && isShown.cases && isShown.scenarios,
    full: options.full ?? false,
    everyCase: options.all ?? false,
    orders: { seeds: shuffle, defects: shuffle.length === 0 ? [] : shuffledDefects(only, isChosen) },
    drawn: drawn.filter(isChosen),
    mistakes:
      only.length === 0 && isShown.cases && isShown.scenarios
        ? crossMistakes(allRequirements(), DEFECTS, EMPTY_CELLS)
        : null,
  }
  const killed = new Set(Object.values(expectedKills).flat())
  const { defects, variants: differing, orders } = request
  const other = orders.defects.length + request.drawn.length
  return { request, total: defects.length + differing.chosen.length + killed.size + other }
}

function shuffledDefects(only: readonly string[], isChosen: (one: { readonly id: string }) => boolean) {
  const chosen = DEFECTS.filter(({ shownBy }) => shownBy === undefined).filter(isChosen)
  return only.length > 0 ? chosen : spread(chosen, SHUFFLED_DEFECTS)
}

function seeds(value: string, before: readonly number[] = []): readonly number[] {
  return [...before, wholeNumber(value)]
}

function print(proof: Proof, isWhole: boolean, options: ProveOptions, output: Output): void {
  if (options.json) {
    output.out(JSON.stringify(proof))
    return
  }
  const say = options.quiet ? () => {} : output.out
  for (const text of proofTables(proof)) say(text)
  if (options.full) for (const line of describeAlone(proof)) say(line)
  for (const line of describeProblems(proof)) output.err(line)
  for (const line of describeTotals(proof, isWhole)) say(line)
  say(`the matrix is in ${join(options.out, 'matrix.json')}`)
}
