/**
 * Packs this checkout and checks the package: publint and Are the Types Wrong find no problem, it contains no surplus file, its
 * bill of materials lists everything bundled, its size is the one stated in the README, and nothing in it depends on a
 * checkout.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { billProblems } from './package/billOfMaterials.ts'
import { describeSize, withPackage } from './package/pack.ts'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
/** Checkers installed by `npm run check:package`. */
const CHECKERS = join(ROOT, 'tools/package/checkers/node_modules/.bin')
/** Matches files that a package must not contain: sources, tests, results of runs, screenshots, mutation testing. */
const SURPLUS =
  /^(?!dist\/|docs\/|bin\/|scenarios\/|property\/failures\/|src\/reporting\/html\/styles\/|src\/service\/store\/).*\//
const UNWANTED =
  /\.test\.|(?<!\.d)\.ts$|\.tsbuildinfo$|(^|\/)reports\/|node_modules|__pycache__|^docs\/.*\.png$|mutation/
const GUIDE = 'README.md'
/** Relative tolerance of the stated size. */
const TOLERANCE = 0.1
const about = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  overrides?: unknown
}

const problems = await withPackage((packed) => {
  run('publint', ['run', '--strict', packed.archive])
  const schemas = ['config.schema.json', 'manifest.schema.json', 'scenario.schema.json']
  run('attw', [packed.archive, '--profile', 'esm-only', '--exclude-entrypoints', ...schemas])
  console.log(describeSize(packed))
  const read = (name: string) =>
    JSON.parse(
      execFileSync('tar', ['-xzOf', packed.archive, `package/dist/${name}`], {
        encoding: 'utf8',
        maxBuffer: 64 * 1_048_576,
      }),
    )
  return [
    ...packed.files
      .filter((file) => SURPLUS.test(file) || UNWANTED.test(file))
      .map((file) => `${file} does not belong in the package`),
    ...billProblems(read('bom.json'), read('bundled.json')),
    ...staleSizes(packed.packedBytes, packed.unpackedBytes),
    ...(about.overrides === undefined
      ? []
      : ['package.json has overrides, which npm ignores in a dependency']),
  ]
})
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1

/** Runs a checker, which prints its findings. */
function run(name: string, args: readonly string[]): void {
  try {
    execFileSync(join(CHECKERS, name), args, { cwd: ROOT, stdio: 'inherit' })
  } catch {
    console.error(`${name} rejects the package`)
    process.exitCode = 1
  }
}

/** Returns a problem for each size that the README states wrongly. */
function staleSizes(packedBytes: number, unpackedBytes: number): readonly string[] {
  const text = readFileSync(new URL(`../${GUIDE}`, import.meta.url), 'utf8')
  const stated = text.match(/([\d.]+) MB\s+packed,\s+([\d.]+) MB\s+unpacked/)
  if (stated === null) return [`${GUIDE} does not state the size: … MB packed, … MB unpacked`]
  return [packedBytes, unpackedBytes].flatMap((bytes, index) => {
    const megabytes = Number(stated[index + 1])
    const off = Math.abs(bytes / 1_000_000 - megabytes) > TOLERANCE * Math.max(megabytes, 1)
    return off ? [`${GUIDE} states ${megabytes} MB; it is ${bytes} bytes`] : []
  })
}
