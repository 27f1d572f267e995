import type { Requirement, RequirementId } from '../../spec/requirements/index.ts'
import type { Defect } from './defect.ts'

/** The classes of mistake, each with what it means. */
export const MISTAKE_CLASSES = {
  identity:
    'two things are taken for one, or one for two: a token, an address, a transaction, a build, a venue',
  memory: 'something is kept that must not be, or forgotten that must be kept',
  arithmetic: 'a number is computed or scaled wrongly',
  order: 'things are ranked, tried or selected wrongly, or one of several is left out',
  upstream: 'what the chain, a venue, a price feed or the store replies, or fails to, is misread',
  time: 'a clock, a window, an expiry or a duration is measured wrongly',
  race: 'two events at once interfere',
  grammar: 'an input is read otherwise than its rules say',
  leakage: 'what belongs to one key or partner shows or counts under another',
  form: 'a field, a type, a status or a header of a response is wrong',
} as const

/** A class of mistake. */
export type MistakeClass = keyof typeof MISTAKE_CLASSES

/** A defect whose class is known. */
export type ClassifiedDefect = Defect & { readonly mistake: MistakeClass }

/**
 * Why cells of requirement × class have no defect. With `shownAt`: such a mistake breaks those clauses as well, which
 * explain it, and has a defect of the class at each of them. Without: no such mistake can break the clause, so that a
 * defect in a cell contradicts the argument.
 */
export interface EmptyCells {
  readonly mistakes: readonly MistakeClass[]
  /** Ids of requirements, or patterns in which * matches anything. The first argument that fits a cell counts. */
  readonly of: readonly string[]
  readonly because: string
  readonly shownAt?: readonly RequirementId[]
}

/** One requirement and one class: the defects, or the number of the argument why there are none. */
export interface Cell {
  readonly requirement: RequirementId
  readonly section: string
  readonly mistake: MistakeClass
  readonly defects: readonly string[]
  /** An index into the arguments; null where there are defects, or nothing is argued. */
  readonly argument: number | null
}

/** The table requirement × class, and what is wrong with it. */
export interface MistakeTable {
  readonly cells: readonly Cell[]
  /** Empty cells without an argument, contradicted, unsupported and unused arguments; each in a sentence. */
  readonly problems: readonly string[]
}

/** Crosses every `must` with every class of mistake. */
export function crossMistakes(
  requirements: readonly Requirement<RequirementId>[],
  defects: readonly ClassifiedDefect[],
  argued: readonly EmptyCells[],
): MistakeTable {
  const patterns = argued.map(({ of }) => of.map(patternOf))
  const fits = (index: number, id: string, mistake: MistakeClass) =>
    argued[index]?.mistakes.includes(mistake) === true &&
    patterns[index]?.some((pattern) => pattern.test(id)) === true
  const breaking = (id: RequirementId, mistake: MistakeClass) =>
    defects.filter((each) => each.breaks === id && each.mistake === mistake).map((each) => each.id)
  const musts = requirements.filter(({ level }) => level === 'must')
  const fitted = musts.flatMap(({ id, section }) =>
    (Object.keys(MISTAKE_CLASSES) as MistakeClass[]).map((mistake) => {
      const found = argued.findIndex((_one, index) => fits(index, id, mistake))
      return { requirement: id, section, mistake, defects: breaking(id, mistake), found }
    }),
  )
  const cells = fitted.map(({ found, ...cell }): Cell => {
    const isArgued = cell.defects.length === 0 && found >= 0
    return { ...cell, argument: isArgued ? found : null }
  })
  const contradicted = fitted.flatMap(({ requirement, mistake, defects: own, found }) =>
    own.length > 0 && found >= 0 && argued[found]?.shownAt === undefined
      ? [`${requirement} × ${mistake} is argued to be empty, and ${own[0]} is there`]
      : [],
  )
  const empty = cells.filter((cell) => cell.defects.length === 0 && cell.argument === null)
  return {
    cells,
    problems: [
      ...empty.map(({ requirement, mistake }) => `${requirement} × ${mistake} has no defect and no argument`),
      ...contradicted,
      ...argued.flatMap(({ mistakes, shownAt = [], because }, index) => [
        ...shownAt.flatMap((id) =>
          mistakes
            .filter((mistake) => breaking(id, mistake).length === 0)
            .map((mistake) => `"${because}" names ${id}, which has no defect of the class ${mistake}`),
        ),
        ...(cells.some(({ argument }) => argument === index) ? [] : [`"${because}" is about no empty cell`]),
      ]),
    ],
  }
}

function patternOf(glob: string): RegExp {
  const escaped = glob.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${escaped.join('.*')}$`)
}
