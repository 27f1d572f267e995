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
 * Signs with one key, as viem's accounts do and to the same bytes (RFC 6979), in a third of their time: the curve is calculated
 * in WebAssembly.
 */
export interface Signer extends TransactionSigner {
  /** EIP-712. @returns the 65 bytes of the signature. */
  signTypedData<
    const Types extends TypedData | Record<string, unknown>,
    Primary extends keyof Types | 'EIP712Domain' = keyof Types,
  >(definition: TypedDataDefinition<Types, Primary>): Promise<Hex>
}

/** Returns the signer of a private key. */
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
