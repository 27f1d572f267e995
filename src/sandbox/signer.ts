import {
  bytesToHex,
  type Hex,
  hashTypedData,
  hexToBytes,
  keccak256,
  serializeSignature,
  serializeTransaction,
  type TypedData,
  type TypedDataDefinition,
} from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import type { TransactionSigner } from '../venues-mock/deploy/transactions.ts'
import { signatureCurve } from './curve.ts'

/**
 * Signs with one key, with the same bytes as viem's accounts (RFC 6979) in a third of the time, as the curve is computed in
 * WebAssembly.
 */
export interface Signer extends TransactionSigner {
  /** Signs typed data (EIP-712). @returns the 65 bytes of the signature. */
  signTypedData<
    const Types extends TypedData | Record<string, unknown>,
    Primary extends keyof Types | 'EIP712Domain' = keyof Types,
  >(definition: TypedDataDefinition<Types, Primary>): Promise<Hex>
}

export function createSigner(privateKey: Hex): Signer {
  const key = hexToBytes(privateKey)

  async function sign(hash: Hex) {
    const { signRecoverable } = await signatureCurve()
    const { signature, recoveryId } = await signRecoverable(hexToBytes(hash), key)
    const [r, s] = [bytesToHex(signature.slice(0, 32)), bytesToHex(signature.slice(32))]
    return { r, s, v: 27n + BigInt(recoveryId), yParity: recoveryId }
  }

  return {
    address: privateKeyToAddress(privateKey),
    signTransaction: async (transaction) =>
      serializeTransaction(transaction, await sign(keccak256(serializeTransaction(transaction)))),
    signTypedData: async (definition) => serializeSignature(await sign(hashTypedData(definition))),
  }
}
