let loaded: Promise<typeof import('tiny-secp256k1')> | null = null

/**
 * Returns the curve that accounts sign on, calculated in WebAssembly. Loaded by those alone who sign or ask who signed, and once: to
 * ask for a module again takes longer than to sign.
 */
export function signatureCurve(): Promise<typeof import('tiny-secp256k1')> {
  loaded ??= import('tiny-secp256k1')
  return loaded
}
