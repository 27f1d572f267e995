import { parseAbi, prepareEncodeFunctionData } from 'viem'

/** Contract functions that the service calls. */
export const settlementAbi = parseAbi([
  'struct Swap { address venue; address tokenIn; address tokenOut; address venueTokenIn; address venueTokenOut; uint256 amountIn; uint256 feeAmount; address feeRecipient; uint256 minimumOut; bool usePermit2; bytes route; }',
  'function swap(Swap order) payable returns (uint256 amountOut)',
])
export const adapterAbi = parseAbi([
  'function quoteExactIn(address tokenIn, address tokenOut, uint256 amountIn, bytes route) returns (uint256 amountOut)',
])
export const directQuoteAbi = parseAbi([
  'function quote(address tokenIn, address tokenOut, uint256 amountIn) view returns (uint256 amountOut)',
])
export const directSwapAbi = parseAbi([
  'function swap(address tokenIn, address tokenOut, uint256 amountIn, uint256 minimumOut, address recipient) payable returns (uint256 amountOut)',
])
const approveAbi = parseAbi(['function approve(address spender, uint256 amount) returns (bool)'])
const transferAbi = parseAbi(['function transfer(address to, uint256 amount) returns (bool)'])
const balanceOfAbi = parseAbi(['function balanceOf(address owner) view returns (uint256)'])
const permit2ApproveAbi = parseAbi([
  'function approve(address token, address spender, uint160 amount, uint48 expiration)',
])
const ethBalanceAbi = parseAbi(['function getEthBalance(address owner) view returns (uint256)'])

/** The same functions for `encodeFunctionData`, which would otherwise hash the signature again for every call. */
export const settlementSwap = prepareEncodeFunctionData({ abi: settlementAbi })
export const frontQuote = prepareEncodeFunctionData({ abi: adapterAbi })
export const directQuote = prepareEncodeFunctionData({ abi: directQuoteAbi })
export const directSwap = prepareEncodeFunctionData({ abi: directSwapAbi })
export const erc20Approve = prepareEncodeFunctionData({ abi: approveAbi })
export const erc20Transfer = prepareEncodeFunctionData({ abi: transferAbi })
export const erc20BalanceOf = prepareEncodeFunctionData({ abi: balanceOfAbi })
export const permit2Approve = prepareEncodeFunctionData({ abi: permit2ApproveAbi })
export const ethBalance = prepareEncodeFunctionData({ abi: ethBalanceAbi })

/** `totalSupply()` and Chainlink's `latestRoundData()`: a call without arguments is just the selector. */
export const TOTAL_SUPPLY_CALL = '0x18160ddd'
export const LATEST_ROUND_CALL = '0xfeaf968c'
