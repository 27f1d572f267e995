import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import { EXIT } from '../runner/verdict/exitCode.ts'
import { startAttachedService } from './testing/attachedService.ts'
import { plumbline } from './testing/plumbline.ts'
import { startSpoiledService } from './testing/spoiledService.ts'

const PLUMBLINE = fileURLToPath(new URL('../../bin/plumbline.mjs', import.meta.url))

/** Cases that leave something behind, followed by cases that it could break. */
const CASES = [
  'service.json-bodies',
  'quote.memo.keyed.amount',
  'quote.ranking.exact-tie',
  'build.requotes.moved-pool.venue_a',
  'build.approval.venue_a',
  'build.executes.venue_a.fee-50',
  'confirm.build-not-found.sibling-key',
  'quote.upstream.rubbish',
  'confirm.match.calldata',
  'confirm.window.1-s-after',
  'confirm.block-changed',
  'confirm.depth',
  'partner-report.server-prices',
]

const folder = temporaryFolder()

/** Runs the cases and returns the verdict file. */
async function verdictsOf(...argv: string[]): Promise<string> {
  const only = CASES.flatMap((id) => ['--only', `case:${id}`])
  const ended = await plumbline('conform', '--out', folder.path, ...argv, ...only)
  expect(ended.code, ended.text).toBe(EXIT.conforms)
  const text = readFileSync(folder.at('verdicts.json'), 'utf8')
  // Declarations differ, and in real time a block may miss the exact second in which a window ends.
  return text
    .replace(/"capabilities": \[[^\]]*\]/, '"capabilities": []')
    .replaceAll(/\n\s*"window-end",|,\n\s*"window-end"(?=\n)/g, '')
}

test('a service that is started, or is already running, gets the same verdicts as in this process', async () => {
  const declared = ['attribution', 'permit2', 'partner-report']
  const capabilities = folder.write('capabilities.json', {
    schema: 'plumbline-capabilities/1',
    capabilities: declared,
  })
  const reference = await verdictsOf('reference')
  const command = `"${process.execPath}" "${PLUMBLINE}" serve`
  // Two copies share the cases; a single copy is run below.
  const copies = ['--start', command, '--instances', '2']
  expect(await verdictsOf(...copies, '--capabilities', capabilities)).toBe(reference)

  const attached = await startAttachedService(folder.at('sandbox.json'))
  // Behind a base URL with a path, outside of which nothing is served.
  const mounted = await startSpoiledService(attached.url, () => {}, 'quote', '/swaps/base')
  try {
    const files = ['--sandbox', folder.at('sandbox.json'), '--capabilities', capabilities]
    expect(await verdictsOf('--target', attached.url, ...files)).toBe(reference)
    // Again, on a service and a chain with the state of the first run.
    expect(await verdictsOf('--target', `${mounted.url}/`, ...files)).toBe(reference)
  } finally {
    await mounted.stop()
    await attached.stop()
  }
})
