import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { PARTNER_KEYS } from '../fixtures/partners.ts'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import { EXIT } from '../runner/verdict/exitCode.ts'
import { writeManifestFile } from '../sandbox/manifestFile.ts'
import { type Sandbox, startSandbox } from '../sandbox/sandbox.ts'
import { readConfig } from '../service/config.ts'
import { type RunningService, startService } from '../service/main.ts'
import { type LineProxy, startLineProxy } from '../targets/chain/lineProxy.ts'
import { drivenGenesisS } from '../targets/chain/liveChain.ts'
import { main } from './main.ts'
import { startSpoiledService } from './testing/spoiledService.ts'

const PLUMBLINE = fileURLToPath(new URL('../../bin/plumbline.mjs', import.meta.url))

/** Cases that leave something behind, beside cases that would trip over it. */
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
  'partner-report.figures',
]

const folder = temporaryFolder()

const file = (name: string, content: object): string => {
  const path = folder.at(name)
  writeFileSync(path, JSON.stringify(content))
  return path
}

/** Runs the cases and answers what the verdict file holds. */
async function verdictsOf(...argv: string[]): Promise<string> {
  const lines: string[] = []
  const keep = (line: string) => lines.push(line)
  const only = CASES.flatMap((id) => ['--only', id])
  const code = await main(['conform', '--out', folder.path, ...argv, ...only], { out: keep, err: keep })
  expect(code, lines.join('\n')).toBe(EXIT.conforms)
  const text = readFileSync(folder.at('verdicts.json'), 'utf8')
  // What is declared differs, and where time is real a block may miss the very second in which a window ends.
  return text
    .replace(/"capabilities": \[[^\]]*\]/, '"capabilities": []')
    .replaceAll(/\n\s*"window-end",|,\n\s*"window-end"(?=\n)/g, '')
}

test('a service that is started, or runs already, gets the verdicts of the same service in this process', async () => {
  const declared = ['attribution', 'permit2', 'partner-report']
  const capabilities = file('capabilities.json', {
    schema: 'plumbline-capabilities/1',
    capabilities: declared,
  })
  const reference = await verdictsOf('reference')
  const command = `"${process.execPath}" "${PLUMBLINE}" serve`
  // Two copies share the cases out; alone it is run below.
  const copies = ['--start', command, '--instances', '2']
  expect(await verdictsOf(...copies, '--capabilities', capabilities)).toBe(reference)

  const running: {
    sandbox?: Sandbox
    line?: LineProxy
    service?: RunningService
    mounted?: Awaited<ReturnType<typeof startSpoiledService>>
  } = {}
  try {
    running.sandbox = await startSandbox({ timestampS: drivenGenesisS() })
    running.line = await startLineProxy(running.sandbox.manifest)
    const manifest = { ...running.sandbox.manifest, rpcUrl: running.line.url }
    await writeManifestFile(folder.at('sandbox.json'), manifest)
    const config = readConfig({ PORT: '0', LOG_LEVEL: 'silent' })
    running.service = await startService(config, manifest, Object.values(PARTNER_KEYS))
    const attached = ['--target', running.service.url, '--sandbox', folder.at('sandbox.json')]
    const first = await verdictsOf(...attached, '--capabilities', capabilities)
    expect(first).toBe(reference)
    // Once more, on a service and a chain that remember the first run, and at a base URL with a path, outside of which
    // nothing is served.
    running.mounted = await startSpoiledService(running.service.url, () => {}, 'quote', '/swaps/base')
    const mounted = ['--target', `${running.mounted.url}/`, ...attached.slice(2)]
    expect(await verdictsOf(...mounted, '--capabilities', capabilities)).toBe(first)
  } finally {
    await running.mounted?.stop()
    await running.service?.stop()
    await running.line?.stop()
    await running.sandbox?.stop()
  }
})
