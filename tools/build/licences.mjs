import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The folder of the package that a file belongs to. */
const PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/

/**
 * Returns the licence of each package that the build contains code of.
 *
 * @param {readonly string[]} inputs paths of the files that were bundled
 * @param {string} root the folder that they are relative to
 */
export function licences(inputs, root) {
  return packagesOf(inputs, root)
    .map(({ folder, name, version, license }) => {
      const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each))
      const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8')
      return `${name} ${version}: ${license ?? 'see below'}\n\n${text.trim()}\n`
    })
    .join(`\n${'-'.repeat(80)}\n\n`)
}

/** Returns a line for each of these packages: its licence and the address of its sources. */
export function notices(inputs, root) {
  const lines = packagesOf(inputs, root).map(
    ({ name, version, license }) =>
      `${name} ${version}, ${license}, https://www.npmjs.com/package/${name}/v/${version}\n`,
  )
  // One package may be installed in several places.
  return [...new Set(lines)].sort().join('')
}

/** Returns the versions of these packages by name, sorted; a package bundled in several versions lists all of them. */
export function bundled(inputs, root) {
  const versions = new Map()
  for (const { name, version } of packagesOf(inputs, root))
    versions.set(name, new Set(versions.get(name)).add(version))
  const entries = [...versions].map(([name, each]) => [name, [...each].sort().join(', ')])
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)))
}

function packagesOf(inputs, root) {
  const folders = new Set(inputs.flatMap((path) => path.match(PACKAGE)?.[0] ?? []))
  return [...folders].sort().map((path) => {
    const folder = join(root, path)
    return { folder, ...JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) }
  })
}
