/**
 * Runs a program of the sources as it was compiled: `node tools/launch.mjs src/cli/worker.ts ARGUMENTS`. To the program it
 * looks as if it had been started itself.
 */
import { pathToFileURL } from 'node:url'
import { compiledFrom } from './compiled.mjs'

process.argv.splice(1, 1)
await import((await compiledFrom(pathToFileURL(process.argv[1]))).href)
