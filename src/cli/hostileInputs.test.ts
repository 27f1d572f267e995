import fs, { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, isAbsolute, join, relative } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { replaceBuiltin } from '../host/testing/replaceBuiltin.ts'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import { EXIT, exitCodeOf } from '../runner/verdict/exitCode.ts'
import { type FileVariant, fieldVariantsOf, standingVariants, variantsOf } from './testing/fileVariants.ts'
import { FOREIGN_FILES, type ForeignFile } from './testing/foreignFiles.ts'

/** Places in the code that opened an untrusted file: `src/cli/run/configFile.ts:24`. */
const opened = new Set<string>()

const folder = temporaryFolder()
mkdirSync(folder.at('contents'))
const STANDING = standingVariants(folder.at('contents'))

/** The first calls on every file and folder. Modules are not replaced: other tests of this process have loaded them. */
const { statSync, readdirSync } = fs
/** Finding the place of a call takes longer than the call: only some calls are noted. */
let isNoting = false
const noting =
  <Given extends unknown[], Looked>(look: (...given: Given) => Looked) =>
  (...given: Given): Looked => {
    const path = String(given[0])
    const isForeign = isNoting && (path.startsWith(folder.path) || !isAbsolute(path))
    for (const [place = ''] of (isForeign ? (new Error().stack ?? '') : '').matchAll(/src\/[\w/]+\.ts:\d+/g))
      opened.add(place)
    return look(...given)
  }
let takeBack: () => void
beforeAll(() => {
  const noted = { statSync: noting(statSync), readdirSync: noting(readdirSync) }
  takeBack = replaceBuiltin(fs, noted as Partial<typeof fs>)
})
afterAll(() => takeBack())

/** An unexpected error; text that a terminal or a CI runner acts upon. */
const UNFORESEEN = /\n\s+at .+:\d+:\d+|unexpected error/
const ORDER = /^\s*(?:::|##\[)|(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/mu
/** More text than a person reads. */
const CHARACTERS_MAX = 5_000
const VARIANTS_MIN = 40
/** For another reader of a kind of file, one variant of each way in which reading fails: the first reader gets them all. */
const ONE_OF_EACH: ReadonlySet<string> = new Set([
  ...['a named pipe', 'a folder', 'nothing', 'a link to itself', 'a link to a device without end'],
  ...[
    'one byte more than is read',
    'no UTF-8',
    'zeros',
    'the text null',
    'an empty list',
    'objects that end',
  ],
  ...['orders in a name', 'orders in a value', 'cut in the middle', 'with orders in the middle'],
])
/** Texts that name the problem instead of the file: the target of a link, or the content as a whole. */
const OTHERS = ['etc/passwd', 'http://127.0.0.1:9', 'capabilities']

async function problemOf(
  { name, read, isFine }: ForeignFile,
  { what, make, mayBeFine }: FileVariant,
  at: string,
) {
  const path = join(at, name)
  mkdirSync(dirname(path), { recursive: true })
  await make(path)
  const reading = await read(path)
  const { text } = reading
  rmSync(path, { recursive: true, force: true })
  const code = 'code' in reading ? reading.code : exitCodeOf(reading.ending)
  if (UNFORESEEN.test(text)) return `is no error that was foreseen: ${text.slice(0, 300)}`
  if (ORDER.test(text)) return `gives an order: ${JSON.stringify(text).slice(0, 300)}`
  if (text.length > CHARACTERS_MAX) return `is said in ${text.length} characters: ${text.slice(0, 300)}`
  if (isFine?.(what) || mayBeFine)
    if (code === EXIT.conforms || code === EXIT['does-not-conform']) return null
  if (code === EXIT.conforms) return 'is fine'
  const isNamed = [path, dirname(path), relative(process.cwd(), dirname(path)), name, ...OTHERS].some(
    (each) => text.includes(each),
  )
  if (!isNamed) return `is not named: ${text.slice(0, 300)}`
  if (!/\n {2}\S/.test(text)) return `comes without advice: ${text.slice(0, 300)}`
  return null
}

test.each(Object.entries(FOREIGN_FILES))(
  '%s: every hostile variant is refused with a clear error',
  async (kind, each) => {
    const good = typeof each.good === 'string' ? each.good : JSON.stringify(each.good, null, 2)
    const isJson = good.startsWith('{')
    const first = Object.values(FOREIGN_FILES).find((other) => other.good === each.good)
    const isAgain = good !== '' && first !== each
    const standing = [
      ...STANDING,
      ...variantsOf(good).map((variant) => (isJson ? variant : { ...variant, mayBeFine: true as const })),
    ].filter(({ what }) => !isAgain || ONE_OF_EACH.has(what))
    const fields = typeof each.good === 'string' || isAgain ? [] : fieldVariantsOf(each.good)
    const problems: string[] = []
    for (const variant of [...standing, ...fields]) {
      isNoting = ONE_OF_EACH.has(variant.what)
      const problem = await problemOf(each, variant, folder.at(kind))
      if (problem !== null) problems.push(`${variant.what} ${problem}`)
    }
    expect(standing.length).toBeGreaterThanOrEqual(isAgain ? ONE_OF_EACH.size : VARIANTS_MIN)
    expect(problems.join('\n')).toBe('')
  },
)

test('each place that opens an untrusted file is reached by a kind of file above', () => {
  const READS = /\b(?:readForeign(?:File|Folder)|readConfigFile)\(/
  /** Tests, and the module that only reads our own folders. */
  const OWN = /\.test\.ts$|testing\/|^host\/temporary\.ts$/
  const places = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !OWN.test(name))
    .map((name) => join('src', name))
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line, index) =>
          READS.test(line) && !line.includes('function ') ? [`${file}:${index + 1}`] : [],
        ),
    )
  expect(places.filter((place) => !opened.has(place))).toEqual([])
})
