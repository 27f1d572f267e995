/**
 * Maximum number of lines of each room, without its tests: TypeScript, JavaScript and Solidity. Deleting code lowers a budget;
 * raising one takes a commit that says why.
 */
export const LINE_BUDGET: Readonly<Record<string, number>> = {
  'src/api': 480,
  'src/client': 1_720,
  'src/campaign': 1_410,
  'src/cli': 7_830,
  'src/evm': 2_720,
  'src/fixtures': 590,
  'src/host': 1_550,
  'src/oracles': 6_500,
  'src/recordings': 8_160,
  'src/reporting': 6_920,
  'src/runner': 6_790,
  'src/sandbox': 2_410,
  'src/service': 6_580,
  'src/simulation': 5_140,
  'src/spec': 4_990,
  'src/targets': 5_110,
  'src/venues-mock': 5_770,
  conformance: 18_570,
  property: 4_440,
  scenarios: 30,
  bench: 1_440,
  tools: 6_590,
  bin: 50,
  docs: 570,
}

const COUNTED = /\.(?:ts|mjs|sol)$/
const TESTS = /\.test\.ts$|\/testing\/|\/testdata\//

/**
 * Returns a line for each room above its budget, and for each file in a folder without one.
 *
 * @param files paths relative to the root of the checkout.
 * @param linesOf returns the number of lines of a file.
 */
export function overBudget(files: readonly string[], linesOf: (file: string) => number): readonly string[] {
  const used = new Map<string, number>()
  for (const file of files.filter((each) => COUNTED.test(each) && !TESTS.test(each) && each.includes('/'))) {
    const room = file.split('/', file.startsWith('src/') ? 2 : 1).join('/')
    used.set(room, (used.get(room) ?? 0) + linesOf(file))
  }
  return [...used].flatMap(([room, lines]) => {
    const budget = LINE_BUDGET[room]
    if (budget === undefined) return [`${room} has no budget of lines; give it one in tools/lineBudget.ts`]
    return lines <= budget
      ? []
      : [
          `${room} has ${lines} lines without its tests, and a budget of ${budget}; make it smaller, or raise the budget in tools/lineBudget.ts and say why in the commit`,
        ]
  })
}
