import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { keccak256 } from 'viem'
import { PackagedContractError } from './errors.ts'
import { type Contract, FORMAT } from './render.ts'
import { CHECKOUT } from './solidity.ts'

type Hex = `0x${string}`

/** Where the packages are installed that are needed for nothing else; the checkout's own come with `npm ci`. */
const PACKAGES = join(CHECKOUT, 'tools/contracts')

/** A contract whose real code an npm package holds. */
export interface PackagedContract {
  readonly name: string
  readonly package: string
  read(): Contract
}

/** The real contracts of the world, each with the functions that the world calls by the contract's own ABI. */
export const PACKAGED_CONTRACTS: readonly PackagedContract[] = [
  deployable('UniswapV2Factory', '@uniswap/v2-core', 'build/UniswapV2Factory.json', ['createPair']),
  created('UniswapV2Pair', '@uniswap/v2-core', 'build/UniswapV2Pair.json', ['mint', 'sync']),
  deployable(
    'UniswapV3Factory',
    '@uniswap/v3-core',
    'artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json',
  ),
  created('UniswapV3Pool', '@uniswap/v3-core', 'artifacts/contracts/UniswapV3Pool.sol/UniswapV3Pool.json'),
  deployable('QuoterV2', '@uniswap/v3-periphery', 'artifacts/contracts/lens/QuoterV2.sol/QuoterV2.json'),
  deployable('PoolManager', '@uniswap/v4-core', 'out/PoolManager.sol/PoolManager.json'),
  deployable('V4Quoter', '@uniswap/v4-periphery', 'foundry-out/V4Quoter.sol/V4Quoter.json'),
  {
    name: 'WETH9',
    package: 'canonical-weth',
    read() {
      const file = 'build/contracts/WETH9.json'
      const { abi, runtime } = readArtefact('WETH9', this.package, file, ['deposit'])
      if (runtime === undefined) throw new PackagedContractError('WETH9', file, 'it holds no runtime')
      return { abi, runtime }
    },
  },
  {
    /**
     * The runtime that Uniswap's own tests etch. Compiling Permit2 to land on its address by CREATE2 would need a second
     * compiler (0.8.17), nine seconds and the deterministic deployer. The literal behaves alike: its cached domain
     * separator is for chain 1, and on any other chain Permit2 computes it from the chain id and its own address.
     */
    name: 'Permit2',
    package: '@uniswap/v4-periphery',
    read() {
      const file = 'lib/permit2/test/utils/DeployPermit2.sol'
      const literal = /hex"([0-9a-f]+)"/.exec(readText('Permit2', this.package, file))?.[1]
      if (literal === undefined) throw new PackagedContractError('Permit2', file, 'it holds no hex literal')
      return { abi: [], runtime: `0x${literal}` }
    },
  },
  {
    name: 'Multicall3',
    package: 'viem',
    read() {
      const file = '_esm/constants/contracts.js'
      const creation = /multicall3Bytecode = '0x([0-9a-f]+)'/.exec(readText('Multicall3', 'viem', file))?.[1]
      // The constructor only copies what follows it: PUSH2 length … RETURN INVALID, 32 bytes in all.
      const length = /^608060405234801561001057600080fd5b5061([0-9a-f]{4})806100206000396000f3fe/.exec(
        creation ?? '',
      )?.[1]
      const runtime = creation?.slice(64)
      if (
        runtime === undefined ||
        length === undefined ||
        runtime.length / 2 !== Number.parseInt(length, 16)
      ) {
        throw new PackagedContractError('Multicall3', file, 'its creation code has another shape')
      }
      return { abi: [], runtime: `0x${runtime}` }
    },
  },
]

/** SHA-256 over the exact package version, with which alone its files change, and over how this file reads them. */
export function packagedHash(contract: PackagedContract): string {
  const version = pinnedIn(PACKAGES, contract.package) ?? pinnedIn(CHECKOUT, contract.package)
  const reader = readFileSync(new URL(import.meta.url), 'utf8')
  return createHash('sha256')
    .update(JSON.stringify([FORMAT, contract.name, contract.package, version, reader]))
    .digest('hex')
}

function deployable(
  name: string,
  from: string,
  file: string,
  called: readonly string[] = [],
): PackagedContract {
  return {
    name,
    package: from,
    read() {
      const { abi, creation } = readArtefact(name, from, file, called)
      return { abi, bytecode: creation }
    },
  }
}

/** Returns a pool, which only its factory creates. */
function created(name: string, from: string, file: string, called: readonly string[] = []): PackagedContract {
  return {
    name,
    package: from,
    read() {
      const { abi, creation } = readArtefact(name, from, file, called)
      return { abi, initCodeHash: keccak256(creation) }
    },
  }
}

/** Truffle, Hardhat and Foundry artefacts, which differ in how they hold code. */
function readArtefact(name: string, from: string, file: string, called: readonly string[]) {
  interface Artefact {
    readonly abi?: readonly { readonly type: string; readonly name?: string }[]
    readonly bytecode?: string | { readonly object: string }
    readonly deployedBytecode?: string | { readonly object: string }
  }
  const artefact = JSON.parse(readText(name, from, file)) as Artefact
  const code = (value: string | { readonly object: string } | undefined): Hex | undefined => {
    const text = typeof value === 'object' ? value.object : value
    return text === undefined ? undefined : `0x${text.replace(/^0x/, '')}`
  }
  const creation = code(artefact.bytecode)
  const abi = called.flatMap(
    (wanted) => artefact.abi?.find((entry) => entry.type === 'function' && entry.name === wanted) ?? [],
  )
  if (abi.length < called.length || creation === undefined || !/^0x([0-9a-f]{2})*$/i.test(creation)) {
    throw new PackagedContractError(name, file, 'it lacks a called function or holds no linked bytecode')
  }
  return { abi, creation, runtime: code(artefact.deployedBytecode) }
}

/** Returns the exact version of a package in the package.json of a folder; undefined where it is none of its own. */
function pinnedIn(folder: string, name: string): string | undefined {
  const { dependencies = {}, devDependencies = {} } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as Record<'dependencies' | 'devDependencies', Readonly<Record<string, string>> | undefined>
  return devDependencies[name] ?? dependencies[name]
}

function readText(name: string, from: string, file: string): string {
  const folder = pinnedIn(PACKAGES, from) === undefined ? CHECKOUT : PACKAGES
  try {
    return readFileSync(join(folder, 'node_modules', from, file), 'utf8')
  } catch (cause) {
    throw new PackagedContractError(name, `${from}/${file}`, 'the file is missing', { cause })
  }
}
