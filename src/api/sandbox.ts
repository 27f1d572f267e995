/**
 * Chain 4663 with the six venues, in its own process, which ends with this one.
 *
 * @example
 * ```ts
 * import { startSandbox } from 'plumbline-conformance/sandbox'
 *
 * const sandbox = await startSandbox()
 * console.log(sandbox.manifest.rpcUrl, sandbox.manifest.venues.map(({ id }) => id))
 * const maker = sandbox.wallet('alice')
 * await sandbox.chain.mine(12)
 * await sandbox.reset()
 * await sandbox.stop()
 * ```
 */
export { ACCOUNTS, type AccountName } from '../fixtures/accounts.ts'
export { PARTNER_KEYS } from '../fixtures/partners.ts'
export { AnvilDiedError, AnvilPortInUseError, AnvilStartError } from '../sandbox/anvil.ts'
export { AnvilBinaryMissingError } from '../sandbox/binary.ts'
export type { Block } from '../sandbox/blocks.ts'
export type { Receipt, SandboxChain } from '../sandbox/chain.ts'
export { ManifestFileError, readManifestFile, writeManifestFile } from '../sandbox/manifestFile.ts'
export { asEip1193, type Rpc, RpcConnectionError, RpcError } from '../sandbox/rpc.ts'
export { type Sandbox, type SandboxOptions, SandboxOptionsError, startSandbox } from '../sandbox/sandbox.ts'
export type { SignedTransaction, TransactionRequest, Wallet } from '../sandbox/wallet.ts'
export { type Manifest, type ManifestToken, type ManifestVenue, manifestSchema } from '../spec/manifest.ts'
