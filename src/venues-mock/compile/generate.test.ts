import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { uniswapV2PairInitCodeHash } from '../generated/UniswapV2Pair.ts'
import { uniswapV3PoolInitCodeHash } from '../generated/UniswapV3Pool.ts'
import { ContractsError } from './errors.ts'
import { checkGenerated } from './generate.ts'
import { renderContract } from './render.ts'
import { compileSolidity, readSolidityFiles } from './solidity.ts'

const GENERATED = fileURLToPath(new URL('../generated/', import.meta.url))

it('finds every committed file made from the sources as they are', async () => {
  expect(await checkGenerated('hashes')).toBe(readdirSync(GENERATED).length)
})

it('compiles a contract to the committed bytes', async () => {
  const file = readSolidityFiles().find(({ path }) => path === 'tokens/MockToken.sol')
  if (file === undefined) throw new Error('tokens/MockToken.sol is gone')
  const contract = (await compileSolidity(file)).get('MockToken')
  if (contract === undefined) throw new Error('MockToken is gone')
  const text = renderContract('MockToken', file.path, file.sourceHash, contract)
  expect(text).toBe(readFileSync(join(GENERATED, 'MockToken.ts'), 'utf8'))
})

it('refuses a source that does not compile, with the words of the compiler', async () => {
  const path = 'Broken.sol'
  const sources = { [path]: 'pragma solidity 0.8.26;\ncontract Broken { uint256 a = "text"; }' }
  const attempt = compileSolidity({ path, contracts: ['Broken'], sourceHash: '', sources })
  await expect(attempt).rejects.toBeInstanceOf(ContractsError)
  await expect(attempt).rejects.toThrow(`${path} does not compile:\n`)
})

it('takes the pools whose init code hashes the world knows', () => {
  expect(uniswapV2PairInitCodeHash).toBe('0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f')
  expect(uniswapV3PoolInitCodeHash).toBe('0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54')
})

describe('a stale directory', () => {
  let copy: string
  beforeEach(() => {
    copy = mkdtempSync(join(tmpdir(), 'plumbline-generated-'))
    cpSync(GENERATED, copy, { recursive: true })
  })
  afterEach(() => rmSync(copy, { recursive: true }))

  const staleNames = async () => {
    const error = await checkGenerated('hashes', copy).catch((caught: unknown) => caught)
    if (!(error instanceof ContractsError)) throw error
    return error.message.replace('generated contract files are out of date: ', '').split(', ')
  }

  it('is detected by a file of other sources', async () => {
    const path = join(copy, 'Settlement.ts')
    writeFileSync(path, readFileSync(path, 'utf8').replace(/Source hash: \w{8}/, 'Source hash: 00000000'))
    expect(await staleNames()).toEqual(['Settlement'])
  })

  it('is detected by a missing file', async () => {
    rmSync(join(copy, 'WETH9.ts'))
    expect(await staleNames()).toEqual(['WETH9'])
  })

  it('is detected by a file without a source', async () => {
    writeFileSync(join(copy, 'Gone.ts'), '')
    expect(await staleNames()).toEqual(['Gone'])
  })
})
