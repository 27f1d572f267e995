import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ContractsError } from './errors.ts'
import { type Contract, FORMAT } from './render.ts'

export const CHECKOUT = fileURLToPath(new URL('../../../', import.meta.url))
const CONTRACTS = fileURLToPath(new URL('../contracts/', import.meta.url))

/**
 * Makes the bytecode independent of the machine: metadata, which contains hashes of the sources, is omitted entirely. Each file
 * is compiled with its own imports only, so that a new file next to it cannot change it either.
 */
const SETTINGS = {
  evmVersion: 'cancun',
  optimizer: { enabled: true, runs: 200 },
  metadata: { bytecodeHash: 'none', appendCBOR: false },
} as const
const OUTPUTS = [
  'abi',
  'devdoc',
  'evm.bytecode.object',
  'evm.deployedBytecode.object',
  'evm.deployedBytecode.immutableReferences',
]

/**
 * Ignored warnings. 2394: transient storage is cleared at the end of the transaction only, not of the call. Its only user,
 * NonReentrant, clears it itself, which the warning's own text calls safe.
 */
const TOLERATED_WARNINGS: ReadonlySet<string> = new Set(['2394'])

/** Source texts by path. A path is relative to `contracts`, or starts with a package's name. */
type Sources = Readonly<Record<string, string>>

/** One .sol file with the contracts it defines that can be deployed. */
export interface SolidityFile {
  readonly path: string
  readonly contracts: readonly string[]
  /** SHA-256 over compiler, settings, the file and everything it imports. */
  readonly sourceHash: string
  readonly sources: Sources
}

/** Returns every .sol file under `contracts` that defines a deployable contract, by path. */
export function readSolidityFiles(): SolidityFile[] {
  const entries = readdirSync(CONTRACTS, { recursive: true, encoding: 'utf8' })
  const files = entries.map((path) => path.replaceAll('\\', '/')).filter((path) => path.endsWith('.sol'))
  return files.sort().flatMap((path) => {
    const sources = closure(path)
    const contracts = [...(sources[path] ?? '').matchAll(/^contract\s+(\w+)/gm)].map(
      (match) => match[1] ?? '',
    )
    if (contracts.length === 0) return []
    return [{ path, contracts, sources, sourceHash: hashOf(path, sources) }]
  })
}

/**
 * Compiles one file.
 *
 * @returns its deployable contracts by name. One whose NatSpec says `@custom:etched` also has its runtime code; one that says
 * `@custom:called-as` another contract has no ABI of its own.
 * @throws {ContractsError} the compiler rejects it; warnings count. Or an etched contract has immutables, which only a
 * constructor can fill.
 */
export async function compileSolidity(file: SolidityFile): Promise<ReadonlyMap<string, Contract>> {
  const compiler = await loadCompiler()
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(Object.entries(file.sources).map(([path, content]) => [path, { content }])),
    // Outputs of this file alone: compiling its imports too would only cost time.
    settings: { ...SETTINGS, outputSelection: { [file.path]: { '*': OUTPUTS } } },
  }
  const output = JSON.parse(compiler.compile(JSON.stringify(input))) as CompilerOutput
  const errors = (output.errors ?? []).filter((error) => !TOLERATED_WARNINGS.has(error.errorCode))
  if (errors.length > 0) {
    throw refused(
      file.path,
      errors.map((error) => error.formattedMessage),
    )
  }
  const compiled = output.contracts[file.path] ?? {}
  return new Map(file.contracts.map((name) => [name, toContract(name, file.path, compiled[name])]))
}

interface CompiledContract {
  readonly abi: readonly unknown[]
  readonly devdoc: Readonly<Record<string, unknown>>
  readonly evm: {
    readonly bytecode: { readonly object: string }
    readonly deployedBytecode: {
      readonly object: string
      readonly immutableReferences: Readonly<Record<string, unknown>>
    }
  }
}
interface CompilerOutput {
  readonly errors?: readonly { readonly errorCode: string; readonly formattedMessage: string }[]
  readonly contracts: Readonly<Record<string, Readonly<Record<string, CompiledContract>>>>
}

function toContract(name: string, path: string, compiled: CompiledContract | undefined): Contract {
  if (compiled === undefined || compiled.evm.bytecode.object === '') {
    throw new ContractsError(
      `${name}: ${path} gave no code for it`,
      'Declare abstract contracts and interfaces as such.',
    )
  }
  const abi = 'custom:called-as' in compiled.devdoc ? [] : compiled.abi
  const contract: Contract = { abi, bytecode: `0x${compiled.evm.bytecode.object}` }
  if (!('custom:etched' in compiled.devdoc)) return contract
  const { object, immutableReferences } = compiled.evm.deployedBytecode
  if (Object.keys(immutableReferences).length > 0) {
    throw new ContractsError(
      `${name}: it is etched and has immutables, which stay zero without a constructor`,
      'Make the immutables constants or storage.',
    )
  }
  return { ...contract, runtime: `0x${object}` }
}

function refused(file: string, diagnostics: readonly string[]): ContractsError {
  return new ContractsError(
    `${file} does not compile:\n${diagnostics.join('\n')}`,
    `Correct ${file}, then run \`npm run contracts\`.`,
  )
}

/** Returns the file and all its direct and indirect imports, by resolved path. */
function closure(entry: string): Sources {
  const sources: Record<string, string> = {}
  const pending = [entry]
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (path in sources) continue
    const text = readSource(path, entry)
    sources[path] = text
    for (const match of text.matchAll(/^\s*import\s+(?:[^"';]*\sfrom\s+)?["']([^"']+)["']/gm)) {
      const target = match[1] ?? ''
      pending.push(target.startsWith('.') ? posix.join(posix.dirname(path), target) : target)
    }
  }
  return sources
}

function readSource(path: string, entry: string): string {
  const candidates = [join(CONTRACTS, path), join(CHECKOUT, 'node_modules', path)]
  const found = candidates.find((candidate) => existsSync(candidate))
  if (found === undefined) {
    throw refused(entry, [`it imports ${path}, which is neither under contracts nor in a package`])
  }
  return readFileSync(found, 'utf8')
}

function hashOf(path: string, sources: Sources): string {
  const sorted = Object.entries(sources).sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify([FORMAT, compilerVersion(), SETTINGS, path, sorted]))
    .digest('hex')
}

/** Reads the version from the package: loading the compiler takes a second, and unchanged sources do not need it. */
function compilerVersion(): string {
  const manifest = readFileSync(join(CHECKOUT, 'node_modules', 'solc', 'package.json'), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}

/** Loads solc, and removes the process-wide handlers with which its runtime would swallow other code's errors. */
async function loadCompiler() {
  const events = ['uncaughtException', 'unhandledRejection'] as const
  const before = events.map((event) => new Set(process.listeners(event as 'uncaughtException')))
  const { default: compiler } = await import('solc')
  events.forEach((event, index) => {
    for (const listener of process.listeners(event as 'uncaughtException')) {
      if (before[index]?.has(listener) === false) process.removeListener(event, listener)
    }
  })
  return compiler
}
