import { encodeFunctionData, type Hex, numberToHex, pad, stringToHex } from 'viem'
import { ACCOUNTS } from '../../fixtures/accounts.ts'
import { CANONICAL } from '../../fixtures/canonical.ts'
import { LIMITS } from '../../spec/limits.ts'
import { mockTokenAbi, mockTokenRuntime } from '../generated/MockToken.ts'
import { multicall3Runtime } from '../generated/Multicall3.ts'
import { permit2Runtime } from '../generated/Permit2.ts'
import { weth9Runtime } from '../generated/WETH9.ts'
import type { DeployClient } from './client.ts'
import { DeploymentError } from './errors.ts'
import { CREATE2_DEPLOYER } from './operators.ts'

/** The owner of USDG, who can mint it: none yet (its mock was just placed), the deployer, or another account. */
export type UsdgOrigin = 'placed' | 'ours' | 'foreign'

/**
 * Places WETH, USDG, Multicall3 and Permit2 at their addresses where no code exists yet, funds the fixture accounts with native
 * coins, and removes code to which strangers may have delegated these well-known accounts on a real chain.
 *
 * @throws {DeploymentError} the chain id is wrong, or a contract that every Anvil has is missing.
 */
export async function placeCanonical(client: DeployClient): Promise<UsdgOrigin> {
  const accounts = Object.values(ACCOUNTS)
  const [chainId, ...codes] = (await client.batch([
    { method: 'eth_chainId' },
    ...[CREATE2_DEPLOYER, CANONICAL.weth, CANONICAL.usdg, CANONICAL.multicall3, CANONICAL.permit2]
      .concat(accounts.map((account) => account.address))
      .map((address) => ({ method: 'eth_getCode', params: [address, 'latest'] })),
  ])) as Hex[]
  const [create2, weth, usdg, multicall3, permit2, ...accountCodes] = codes.map((code) => code !== '0x')
  const advice = 'Use an Anvil with chain id 4663 that keeps its default create2 deployer.'
  if (Number(chainId) !== LIMITS.chainId)
    throw new DeploymentError(`the chain id is ${Number(chainId)}`, advice)
  if (!create2) throw new DeploymentError(`no create2 deployer at ${CREATE2_DEPLOYER}`, advice)

  const cheats = accounts.flatMap((account, index) => [
    ...(accountCodes[index] ? [etch(account.address, '0x')] : []),
    { method: 'anvil_setBalance', params: [account.address, numberToHex(account.nativeRaw)] },
  ])
  if (!weth) cheats.push(...placeWeth())
  if (!usdg) cheats.push(etch(CANONICAL.usdg, mockTokenRuntime))
  if (!multicall3) cheats.push(etch(CANONICAL.multicall3, multicall3Runtime))
  if (!permit2) cheats.push(etch(CANONICAL.permit2, permit2Runtime))
  await client.batch(cheats)
  if (!usdg) return 'placed'
  return (await ownerOf(client, CANONICAL.usdg)) === BigInt(ACCOUNTS.deployer.address) ? 'ours' : 'foreign'
}

/** WETH9's constructor does not run, so its name, symbol and decimals, slots 0 to 2, are written directly. */
function placeWeth() {
  const slots = [shortString('Wrapped Ether'), shortString('WETH'), numberToHex(18, { size: 32 })]
  return [
    etch(CANONICAL.weth, weth9Runtime),
    ...slots.map((value, slot) => ({
      method: 'anvil_setStorageAt',
      params: [CANONICAL.weth, numberToHex(slot, { size: 32 }), value],
    })),
  ]
}

const etch = (address: Hex, code: Hex) => ({ method: 'anvil_setCode', params: [address, code] })

/** Returns a string of fewer than 32 bytes as Solidity stores it: left-aligned, twice its length in the last byte. */
function shortString(text: string): Hex {
  const left = BigInt(pad(stringToHex(text), { dir: 'right', size: 32 }))
  return numberToHex(left | BigInt(text.length * 2), { size: 32 })
}

/** Returns the result of `owner()`, or null: a real stablecoin need not have one. */
async function ownerOf(client: DeployClient, token: Hex): Promise<bigint | null> {
  const data = encodeFunctionData({ abi: mockTokenAbi, functionName: 'owner' })
  try {
    const answer = (await client.request('eth_call', [{ to: token, data }, 'latest'])) as Hex
    return answer.length === 66 ? BigInt(answer) : null
  } catch {
    return null
  }
}
