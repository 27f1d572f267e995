#!/usr/bin/env node
import { existsSync } from 'node:fs'

/** A checkout runs its sources, so that no build is ever stale; the package holds what was built of them. */
const SOURCE = new URL('../src/cli/main.ts', import.meta.url)
const BUILT = new URL('../dist/src/cli/main.js', import.meta.url)
const INCONCLUSIVE = 3

// Node ends with 1 for an error that nobody expected, and with 13 where nothing is left to wait for. Neither says
// anything about a target.
process.exitCode = INCONCLUSIVE
let describe = (error) => `unexpected error: ${error?.stack ?? error}`
process.on('uncaughtException', (error) => {
  console.error(describe(error))
  process.exit(INCONCLUSIVE)
})

if (existsSync(SOURCE)) {
  await start(await compiled())
} else if (existsSync(BUILT)) {
  await start(BUILT)
} else {
  console.error(
    'error: this installation of plumbline holds neither its sources nor what is built of them\n  Install it again; a package is made by `npm pack` in a checkout.',
  )
}

/** The program as it was compiled of the sources as they are now. */
async function compiled() {
  try {
    const { compiledFrom } = await import('../tools/compiled.mjs')
    return await compiledFrom(SOURCE)
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    console.error(
      'error: the sources of this checkout cannot be run: esbuild is not installed\n  Run `npm ci`, which installs what development needs as well.',
    )
    process.exit(INCONCLUSIVE)
  }
}

async function start(program) {
  const { main, describeUncaught } = await import(program.href)
  describe = describeUncaught
  process.exitCode = await main(process.argv.slice(2))
}
