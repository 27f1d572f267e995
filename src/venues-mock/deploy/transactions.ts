import {
  type Abi,
  type ContractFunctionName,
  concatHex,
  type EncodeFunctionDataParameters,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  numberToHex,
  type TransactionSerializable,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { FixtureAccount } from '../../fixtures/accounts.ts'
import { LIMITS } from '../../spec/limits.ts'
import type { DeployClient } from './client.ts'
import { DeploymentError } from './errors.ts'

/** One transaction of the deployment. `step` describes it in error messages. */
interface Step {
  readonly step: string
  readonly to: Hex
  readonly data?: Hex
  readonly value?: bigint
}

/** Far above any base fee. There is no tip, so that the coinbase does not appear in the state. */
const MAX_FEE_PER_GAS = 1_000_000_000_000n
/** Enough gas for the largest contract or pool, and less than the cap of EIP-7825. */
const GAS = 8_000_000n

/**
 * The transactions of one account, signed here with explicit nonces and gas, so that the same plan gives the same bytes. Each
 * account has its own block, so that nonces alone determine the order, not the order of arrival at the node.
 */
export interface Account {
  readonly address: Hex
  /** Plans a transaction. */
  send(step: Step): void
  /** Plans a call of a contract's function. `step` describes it in error messages. */
  call<const A extends Abi, Name extends ContractFunctionName<A>>(
    step: string,
    to: Hex,
    call: EncodeFunctionDataParameters<A, Name>,
  ): void
  /** Plans a contract creation. @returns the address of the contract. */
  create(step: string, creationCode: Hex, constructorArguments?: Hex): Hex
  /**
   * Signs and sends all planned transactions, mines one block, and reads every receipt.
   *
   * @throws {DeploymentError} a transaction reverted or was not mined.
   */
  mine(): Promise<void>
}

/** Signs the transactions of one account deterministically (RFC 6979). */
export interface TransactionSigner {
  readonly address: Hex
  /** @returns the signed bytes. */
  signTransaction(transaction: TransactionSerializable): Promise<Hex>
}

/** Signed transactions of this process's worlds: all worlds are deployed by the same ones. */
const signatures = new Map<string, Promise<Hex>>()
/** More than the transactions of a world. */
const SIGNATURES_MAX = 1_000

function signOnce(
  signer: TransactionSigner,
  { to, data, value, nonce }: { to?: Hex; data?: Hex; value?: bigint; nonce: number },
): Promise<Hex> {
  const name = [signer.address, nonce, to, value, data].join()
  const known = signatures.get(name)
  if (known !== undefined) return known
  if (signatures.size >= SIGNATURES_MAX) signatures.clear()
  const signed = signer.signTransaction({
    type: 'eip1559',
    chainId: LIMITS.chainId,
    nonce,
    gas: GAS,
    maxFeePerGas: MAX_FEE_PER_GAS,
    maxPriorityFeePerGas: 0n,
    ...(to !== undefined && { to }),
    ...(data !== undefined && { data }),
    ...(value !== undefined && { value }),
  })
  signatures.set(name, signed)
  return signed
}

/** Opens an account at its nonce on the chain, because on a fork it may have been used. */
export async function openAccount(
  client: DeployClient,
  fixture: FixtureAccount,
  createSigner: (privateKey: Hex) => TransactionSigner = privateKeyToAccount,
): Promise<Account> {
  const signer = createSigner(fixture.privateKey)
  let nonce = Number(await client.request('eth_getTransactionCount', [fixture.address, 'latest']))
  let planned: (Omit<Step, 'to'> & { readonly to?: Hex; readonly nonce: number })[] = []

  function plan(step: Omit<Step, 'to'> & { readonly to?: Hex }) {
    planned.push({ ...step, nonce })
    nonce += 1
  }

  return {
    address: fixture.address,
    send: plan,
    call: (step, to, call) =>
      plan({ step, to, data: encodeFunctionData(call as unknown as EncodeFunctionDataParameters) }),
    create(step, creationCode, constructorArguments = '0x') {
      const address = getContractAddress({ from: fixture.address, nonce: BigInt(nonce) })
      plan({ step, data: concatHex([creationCode, constructorArguments]) })
      return address
    },
    async mine() {
      const steps = planned
      planned = []
      const signed = await Promise.all(steps.map((step) => signOnce(signer, step)))
      const hashes = (await client.batch(
        signed.map((raw) => ({ method: 'eth_sendRawTransaction', params: [raw] })),
      )) as Hex[]
      await client.mine()
      const receipts = (await client.batch(
        hashes.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
      )) as ({ readonly status: Hex } | null)[]
      steps.forEach(({ step }, index) => {
        const status = receipts[index]?.status
        if (status === numberToHex(1)) return
        throw new DeploymentError(
          `${step}: ${status === undefined ? 'was not mined' : 'reverted'}`,
          'Deploy on a fresh chain, or on a fork whose fixture accounts are not used at the same time.',
        )
      })
    },
  }
}
