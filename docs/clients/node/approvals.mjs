import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem/utils'

const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
const VALID_FOR_S = 30 * 60
const ERC20_ABI = parseAbi([
  'function allowance(address owner, address spender) view returns (uint256)',
  'function approve(address spender, uint256 amount)',
  'function transfer(address to, uint256 amount)',
])
const PERMIT2_ABI = parseAbi([
  'struct PermitDetails { address token; uint160 amount; uint48 expiration; uint48 nonce; }',
  'struct PermitSingle { PermitDetails details; address spender; uint256 sigDeadline; }',
  'function allowance(address, address, address) view returns (uint160 amount, uint48 expiration, uint48 nonce)',
  'function permit(address owner, PermitSingle permitSingle, bytes signature)',
])
const PERMIT2_TYPES = {
  PermitSingle: [
    { name: 'details', type: 'PermitDetails' },
    { name: 'spender', type: 'address' },
    { name: 'sigDeadline', type: 'uint256' },
  ],
  PermitDetails: [
    { name: 'token', type: 'address' },
    { name: 'amount', type: 'uint160' },
    { name: 'expiration', type: 'uint48' },
    { name: 'nonce', type: 'uint48' },
  ],
}

/**
 * Returns the calls that have to be mined before the swap (§4.2 rule 4), none if everything is approved. They approve only the
 * named spender, for the amount that the swap may take: a fee transfer is carved out of the goal's amount (§4.2 rule 5).
 */
export async function approvalsFor({ tx, feeTransfer }, { from, mostRaw: amountRaw }, chain) {
  const mostRaw = amountRaw - BigInt(feeTransfer?.amountRaw ?? 0)
  if (tx.allowanceTarget === null || from.address === 'native') return []
  if (!tx.permit2) return approval(chain, from.address, tx.allowanceTarget, mostRaw)
  // If the service names Permit2 itself, the spender of the permit is the called contract.
  const spender = tx.allowanceTarget.toLowerCase() === PERMIT2.toLowerCase() ? tx.to : tx.allowanceTarget
  return [
    ...(await approval(chain, from.address, PERMIT2, mostRaw)),
    ...(await permit(chain, from.address, spender, mostRaw)),
  ]
}

/** Turns a `feeTransfer` into a call (§4.2 rule 5). */
export function feeTransferOf({ token, to, amountRaw }) {
  if (token === 'native') return { role: 'fee transfer', to, data: '0x', value: amountRaw }
  return call('fee transfer', token, ERC20_ABI, 'transfer', [to, BigInt(amountRaw)])
}

async function approval(chain, token, spender, amount) {
  const allowed = await read(chain, token, ERC20_ABI, [chain.address, spender])
  if (allowed >= amount) return []
  return [call('approval', token, ERC20_ABI, 'approve', [spender, amount])]
}

/** Signs a permit, and returns the call that submits it. */
async function permit(chain, token, spender, amount) {
  const [allowed, expiration, nonce] = await read(chain, PERMIT2, PERMIT2_ABI, [
    chain.address,
    token,
    spender,
  ])
  // Permit2 uses the time of the chain, which may differ from that of this machine.
  const nowS = await chain.nowS()
  if (allowed >= amount && expiration > nowS + VALID_FOR_S / 2) return []
  const details = { token, amount, expiration: nowS + VALID_FOR_S, nonce }
  const message = { details, spender, sigDeadline: BigInt(nowS + VALID_FOR_S) }
  const signature = await chain.signTypedData({
    domain: { name: 'Permit2', verifyingContract: PERMIT2 },
    types: PERMIT2_TYPES,
    primaryType: 'PermitSingle',
    message,
  })
  return [call('permit', PERMIT2, PERMIT2_ABI, 'permit', [chain.address, message, signature])]
}

async function read(chain, to, abi, args) {
  const data = encodeFunctionData({ abi, functionName: 'allowance', args })
  return decodeFunctionResult({ abi, functionName: 'allowance', data: await chain.read(to, data) })
}

function call(role, to, abi, functionName, args) {
  return { role, to, data: encodeFunctionData({ abi, functionName, args }), value: '0' }
}
