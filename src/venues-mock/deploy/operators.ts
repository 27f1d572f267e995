import { concatHex, encodeAbiParameters, getCreate2Address, type Hex, zeroHash } from 'viem'
import { ACCOUNTS } from '../../fixtures/accounts.ts'
import { concentratedOperatorBytecode } from '../generated/ConcentratedOperator.ts'
import { singletonOperatorBytecode } from '../generated/SingletonOperator.ts'

/** The keyless create2 deployer that Anvil puts on every chain: it creates from `salt ++ creation code`. */
export const CREATE2_DEPLOYER = '0x4e59b44847b379578588920cA78FbF26c0B4956C'

/** A contract of the operator whose address is derived from its venue, so that it need not be in the manifest. */
export interface OperatorContract {
  readonly address: Hex
  /** The data to send to `CREATE2_DEPLOYER`. */
  readonly creation: Hex
}

/** Returns the operator's contract for the Uniswap V3 pools of a factory. */
export function concentratedOperator(factory: Hex): OperatorContract {
  return operatorContract(concentratedOperatorBytecode, factory)
}

/** Returns the operator's contract for the Uniswap V4 pools of a pool manager. */
export function singletonOperator(poolManager: Hex): OperatorContract {
  return operatorContract(singletonOperatorBytecode, poolManager)
}

function operatorContract(bytecode: Hex, venueCore: Hex): OperatorContract {
  const constructorArguments = encodeAbiParameters(
    [{ type: 'address' }, { type: 'address' }],
    [venueCore, ACCOUNTS.operator.address],
  )
  const initCode = concatHex([bytecode, constructorArguments])
  return {
    address: getCreate2Address({ from: CREATE2_DEPLOYER, salt: zeroHash, bytecode: initCode }),
    creation: concatHex([zeroHash, initCode]),
  }
}
