#!/usr/bin/env node
import { existsSync } from 'node:fs'

/** Only a checkout has the sources; a package holds the build. */
const SOURCE = new URL('../src/cli/main.ts', import.meta.url)
const BUILT = new URL('../dist/main.js', import.meta.url)
const INCONCLUSIVE = 3
const UNWRITABLE =
  'error: the sources of this checkout have changed, and dist/ cannot be written\n  Run `npm run build` as the owner of the checkout.'
/** Messages for a checkout that cannot be built, by error code. */
const PROBLEMS = {
  ERR_MODULE_NOT_FOUND:
    'error: the sources of this checkout cannot be built: esbuild is not installed\n  Run `npm ci`, which installs what development needs as well.',
  ...{ EACCES: UNWRITABLE, EPERM: UNWRITABLE, EROFS: UNWRITABLE },
}

// Node exits with 1 after an uncaught error, and with 13 if a top-level await never settles. Neither says anything
// about a target.
process.exitCode = INCONCLUSIVE
let describe = (error) => `unexpected error: ${error?.stack ?? error}`
process.on('uncaughtException', (error) => {
  console.error(describe(error))
  process.exit(INCONCLUSIVE)
})

if (existsSync(SOURCE)) await buildIfStale()
if (existsSync(BUILT)) {
  const { main, describeUncaught, endSoon } = await import(BUILT.href)
  describe = describeUncaught
  process.exitCode = await main(process.argv.slice(2))
  endSoon()
} else {
  console.error(
    'error: this installation of plumbline holds neither its sources nor its build\n  Install it again; a package is made by `npm pack` in a checkout.',
  )
}

/** Rebuilds a checkout whose sources have changed. */
async function buildIfStale() {
  process.setSourceMapsEnabled(true)
  try {
    const fresh = await import('../tools/build/fresh.mjs')
    await fresh.buildIfStale()
  } catch (error) {
    const problem = PROBLEMS[error.code]
    if (problem === undefined) throw error
    console.error(problem)
    process.exit(INCONCLUSIVE)
  }
}
