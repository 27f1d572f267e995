import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { freePort } from '../host/freePort.ts'
import { bundled, evaluated } from '../host/testing/evaluated.ts'
import {
  AnvilDiedError,
  type AnvilNode,
  AnvilPortInUseError,
  AnvilStartError,
  GENESIS_TIMESTAMP_S,
  startAnvil,
} from './anvil.ts'
import { AnvilBinaryMissingError, anvilBinaryPath } from './binary.ts'
import { createRpc } from './rpc.ts'

describe('a fresh node', () => {
  let node: AnvilNode
  beforeAll(async () => {
    node = await startAnvil()
  })
  afterAll(() => node.stop())

  it('is chain 4663 with a fixed genesis time, a base fee of 7 wei and ten funded accounts', async () => {
    const rpc = createRpc({ url: node.url })
    const [chainId, genesis, gasPrice, balance] = await rpc.batch([
      { method: 'eth_chainId' },
      { method: 'eth_getBlockByNumber', params: ['0x0', false] },
      { method: 'eth_gasPrice' },
      { method: 'eth_getBalance', params: ['0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', 'latest'] },
    ])
    expect(Number(chainId)).toBe(4663)
    expect(Number((genesis as { timestamp: string }).timestamp)).toBe(GENESIS_TIMESTAMP_S)
    expect((genesis as { baseFeePerGas: string }).baseFeePerGas).toBe('0x7')
    expect(BigInt(gasPrice as string)).toBe(1_000_000_007n)
    expect(BigInt(balance as string)).toBe(10_000n * 10n ** 18n)
  })

  it('names the port as taken when a second node asks for it', async () => {
    const error = await startAnvil({ port: node.port }).catch((thrown) => thrown)
    expect(error).toBeInstanceOf(AnvilPortInUseError)
    expect(error.port).toBe(node.port)
  })
})

it('listens on the port and begins at the time that it was given', async () => {
  const port = await freePort()
  const node = await startAnvil({ port, timestampS: 1_800_000_000 })
  expect(node.url).toBe(`http://127.0.0.1:${port}`)
  const block = await createRpc({ url: node.url }).request<{ timestamp: string }>('eth_getBlockByNumber', [
    '0x0',
    false,
  ])
  expect(Number(block.timestamp)).toBe(1_800_000_000)
  await node.stop()
})

it('reports the output of Anvil when an upstream does not respond', async () => {
  const forkUrl = `http://127.0.0.1:${await freePort()}`
  const error = await startAnvil({ forkUrl, forkBlockNumber: 1 }).catch((thrown) => thrown)
  expect(error).toBeInstanceOf(AnvilStartError)
  expect(error.output).not.toBe('')
})

it('shows the URL of an upstream neither in the list of processes nor in an error', async () => {
  const upstream = await startAnvil()
  const paths: string[] = []
  const proxy = createHttpServer(async (request, response) => {
    paths.push(request.url ?? '')
    const body = await text(request)
    const answer = await fetch(upstream.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    response.end(await answer.text())
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const { port } = proxy.address() as { port: number }
  const forkUrl = `http://me:pass$word@127.0.0.1:${port}/v3/K3Y%20"$\{HOME}?token=t0ken`
  const fork = await startAnvil({ forkUrl, forkBlockNumber: 0 })
  expect(paths.every((path) => path.startsWith('/v3/K3Y%20') && path.endsWith('?token=t0ken'))).toBe(true)
  expect(paths).not.toEqual([])
  const list = execFileSync('ps', ['-A', '-ww', '-o', 'args'], { encoding: 'utf8' })
  expect(list).toContain('--fork-url upstream')
  expect(list).not.toMatch(/K3Y|t0ken|pass\$word/)
  await fork.stop()
  proxy.closeAllConnections()
  proxy.close()
  await upstream.stop()

  const error = await startAnvil({ forkUrl, forkBlockNumber: 0 }).catch((thrown) => thrown)
  expect(error).toBeInstanceOf(AnvilStartError)
  expect(`${error.message}${error.output}${error.stack}${error.cause?.stack}`).not.toMatch(
    /K3Y|t0ken|pass\$word/,
  )
  expect(error.output).toContain(`127.0.0.1:${port}`)
})

it('inherits only the common variables of the environment, and ends without a reason when it is stopped', async () => {
  vi.stubEnv('SOME_TOKEN', 'of nobody else')
  const node = await startAnvil()
  vi.unstubAllEnvs()
  if (process.platform === 'linux') {
    const variables = readFileSync(`/proc/${node.pid}/environ`, 'utf8').split('\0')
    expect(variables).toContain(`PATH=${process.env.PATH}`)
    expect(variables).not.toContain('SOME_TOKEN=of nobody else')
  }
  await Promise.all([node.stop(), node.stop()])
  expect(await node.ended).toBeNull()
})

it('fails pending and later calls with the reason when it dies', async () => {
  const node = await startAnvil()
  const rpc = createRpc({ url: node.url, ended: node.ended })
  const pending = rpc.request<never>('anvil_mine', ['0xffffff']).catch((thrown: AnvilDiedError) => thrown)
  process.kill(node.pid as number, 'SIGKILL')
  const error = await pending
  expect(error).toBeInstanceOf(AnvilDiedError)
  expect(error.signal).toBe('SIGKILL')
  expect(await node.ended).toBe(error)
  expect(await rpc.request('eth_chainId').catch((thrown) => thrown)).toBe(error)
})

describe('a node whose parent ends', () => {
  it.concurrent.each(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP', 'exit'] as const)(
    'by %s, ends too',
    async (how) => {
      const anvilModule = await bundled(new URL('./anvil.ts', import.meta.url))
      const parent = spawn(
        process.execPath,
        evaluated(
          `const { startAnvil } = await import(${JSON.stringify(anvilModule)})
         console.log((await startAnvil()).port)
         process.stdin.once('data', () => process.exit(0))`,
        ),
        { stdio: ['pipe', 'pipe', 'inherit'], cwd: new URL('../..', import.meta.url) },
      )
      const [port] = await once(createInterface({ input: parent.stdout }), 'line')
      // A connection that Anvil holds: the kernel closes it with the process.
      const connection = connect(Number(port), '127.0.0.1')
      await once(connection, 'connect')
      // A killed process may reset its connections, which also closes them.
      connection.on('error', () => undefined)
      const closed = new Promise<boolean>((resolve) => connection.once('close', () => resolve(true)))
      connection.resume()

      if (how === 'exit') parent.stdin.write('now')
      else parent.kill(how)
      expect(await closed).toBe(true)
    },
  )
})

describe('the binary', () => {
  it('is that of the installed package', () => {
    expect(anvilBinaryPath()).toMatch(/@foundry-rs[/\\]anvil-[a-z0-9-]+[/\\]bin[/\\]anvil(\.exe)?$/)
  })

  it('is reported missing with the name of its package', () => {
    const other = process.platform === 'darwin' ? 'linux-x64' : 'darwin-arm64'
    const error = thrownBy(() => anvilBinaryPath(other))
    expect(error).toBeInstanceOf(AnvilBinaryMissingError)
    expect((error as AnvilBinaryMissingError).packageName).toMatch(/^@foundry-rs\/anvil-/)
  })

  it('has no package for a platform that Foundry does not publish', () => {
    const error = thrownBy(() => anvilBinaryPath('sunos-x64'))
    expect(error).toBeInstanceOf(AnvilBinaryMissingError)
    expect((error as AnvilBinaryMissingError).packageName).toBeNull()
  })
})

function thrownBy(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    return error
  }
}
