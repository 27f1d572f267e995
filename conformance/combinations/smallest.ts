import { shrink } from '../../src/runner/families/shrink.ts'
import { PromiseBrokenError } from '../../src/targets/blame.ts'
import { createEvidenceRecorder } from '../../src/targets/evidence/evidence.ts'
import { NAMES, type Row, RULES, rowOf, rowText } from './model.ts'

/** Maximum number of rows run to find the smallest. */
const TRIES = 24

const isRow = (candidate: unknown): candidate is Row => RULES.every(({ isKept }) => isKept(candidate as Row))

/** Returns the row once for each class that is not plain, with that class replaced by the plain one. */
const simpler = (row: Row): readonly Row[] => {
  const plain = rowOf({})
  return NAMES.filter((name) => row[name] !== plain[name]).map((name) => ({ ...row, [name]: plain[name] }))
}

/**
 * Runs rows. If one breaks a promise, runs it alone with ever fewer classes that are not plain, so that the failure names the
 * fewest that still break the promise.
 *
 * @param run runs rows and calls `onRow` with each as its turn comes.
 * @throws {PromiseBrokenError} with the smallest row.
 */
export async function runToSmallest(
  rows: readonly Row[],
  run: (rows: readonly Row[], onRow: (row: Row) => void) => Promise<void>,
): Promise<void> {
  let current: Row | undefined
  try {
    await run(rows, (row) => {
      current = row
    })
  } catch (error) {
    if (!(error instanceof PromiseBrokenError) || current === undefined) throw error
    throw await smallestOf(current, error, (row) => run([row], () => {}))
  }
}

/** Returns the failure of the smallest row that breaks the same promise. */
async function smallestOf(
  failing: Row,
  first: PromiseBrokenError,
  run: (row: Row) => Promise<void>,
): Promise<PromiseBrokenError> {
  let broken: PromiseBrokenError | null = null
  const stillFails = async (row: Row): Promise<boolean> => {
    const error = await createEvidenceRecorder()
      .collect(() => run(row))
      .then(
        () => null,
        (thrown: unknown) => thrown,
      )
    const isSame = error instanceof PromiseBrokenError && error.requirement === first.requirement
    if (isSame) broken = error
    return isSame
  }
  if (!(await stillFails(failing)))
    return noted(first, `combination: ${rowText(failing)}; alone, in an environment of its own, it passes`)
  const { smallest } = await shrink(failing, { simpler, isCase: isRow, stillFails, budget: TRIES })
  // Run the smallest row last, so that the failure shows its exchanges.
  await stillFails(smallest)
  return noted(broken ?? first, `combination: ${rowText(smallest)}; found with ${rowText(failing)}`)
}

function noted(
  { requirement, expected, actual, notes, others, exchange }: PromiseBrokenError,
  note: string,
): PromiseBrokenError {
  return new PromiseBrokenError(requirement, expected, actual, { notes: [note, ...notes], others, exchange })
}
